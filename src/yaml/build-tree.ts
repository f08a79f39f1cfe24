import {
  type Alias,
  type CST,
  isAlias,
  isMap,
  isScalar,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isJsonObject, type Json } from '../json/json.ts';
import { setMember } from '../json/member.ts';
import {
  mergeSources,
  type Notes,
  resolveAlias,
  type YamlAlias,
  type YamlCollection,
  type YamlDocument,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from './yaml-tree.ts';

/** Builds a document's tree from the library's nodes and tokens, which take several times its memory and are not kept. */
export function buildTree(
  text: string,
  contents: ParsedNode | null,
  invalid: Builder['invalid'],
): Pick<YamlDocument, 'root' | 'aliases' | 'keepScalars'> {
  const builder: Builder = { text, anchors: new Map(), aliases: [], keepScalars: [], invalid };
  return { ...builder, root: buildNode(builder, contents) };
}

interface Builder {
  readonly text: string;
  readonly anchors: Map<string, YamlAlias['target']>;
  readonly aliases: YamlAlias[];
  readonly keepScalars: YamlScalar[];
  readonly invalid: (offset: number, why: string) => Error;
}

function buildNode(builder: Builder, node: ParsedNode | null): YamlNode {
  if (node === null)
    return { kind: 'scalar', start: 0, end: 0, value: null, type: 'PLAIN', notes: undefined };
  if (isAlias(node)) return buildAlias(builder, node);
  const { anchor } = node;
  // Inside the node, its anchor does not exist yet: JSON has no cycles.
  if (anchor !== undefined) builder.anchors.delete(anchor);
  const built = isScalar(node) ? buildScalar(builder, node) : buildCollection(builder, node);
  // A node inside it with the same anchor comes later in the text.
  if (anchor !== undefined && !builder.anchors.has(anchor)) builder.anchors.set(anchor, built);
  return built;
}

function buildAlias({ anchors, aliases, invalid }: Builder, { source, range }: Alias.Parsed): YamlAlias {
  const [start, end] = range;
  const target = anchors.get(source);
  if (target === undefined) throw invalid(start, `alias "*${source}" has no anchor before it`);
  const alias = { kind: 'alias', start, end, notes: undefined, value: target.value, target } as const;
  aliases.push(alias);
  return alias;
}

function buildScalar({ text, keepScalars }: Builder, node: Scalar.Parsed): YamlScalar {
  const [start, end] = node.range;
  const { type } = node;
  const block = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED' ? text.slice(start, end) : '';
  // Its header has a `+`: the blank lines after it are part of it.
  const isKeep = /^.\d?\+/.test(block);
  const content = isKeep ? block.replace(/\r?\n$/, '') : block.trimEnd();
  // The library assigns all comments up to the next entry to an empty value, and represents the merge key as a symbol.
  const notes = start === end ? undefined : notesOf(node);
  const value = typeof node.value === 'symbol' ? '<<' : (node.value as YamlScalar['value']);
  const scalar = {
    kind: 'scalar',
    start,
    end: content === '' ? end : start + content.length,
    value,
    type,
    notes,
  } as const;
  if (isKeep) keepScalars.push(scalar);
  return scalar;
}

function notesOf({ comment, commentBefore, spaceBefore }: ParsedNode): Notes | undefined {
  if (!comment && !commentBefore && !spaceBefore) return undefined;
  return { comment: comment ?? undefined, commentBefore: commentBefore ?? undefined, spaceBefore };
}

function buildCollection(builder: Builder, node: YAMLMap.Parsed | YAMLSeq.Parsed): YamlCollection {
  const [start, end] = node.range;
  const isFlow = node.flow === true;
  const { value, entries } = isMap(node) ? buildPairs(builder, node) : buildItems(builder, node);
  const contentEnd = isFlow ? end : (entries.at(-1)?.end ?? start);
  const kind = isMap(node) ? 'map' : 'seq';
  return { kind, start, end: contentEnd, value, notes: notesOf(node), isFlow, entries };
}

type Children = Pick<YamlCollection, 'value' | 'entries'>;

function buildPairs(builder: Builder, map: YAMLMap.Parsed): Children {
  const { invalid } = builder;
  const value: Record<string, Json> = {};
  const names = new Set<string>();
  const entries = map.items.map((pair, index) => {
    const key = buildNode(builder, pair.key);
    const node = buildNode(builder, pair.value);
    const name = isMergeKey(pair.key) ? undefined : nameOf(builder, key);
    if (name === undefined) merge(builder, value, node);
    else if (names.has(name)) throw invalid(key.start, `duplicate key "${name}"`);
    else setMember(value, name, node.value);
    if (name !== undefined) names.add(name);
    return newEntry(pair.srcToken ?? { start: [] }, index, key, name, node);
  });
  return { value, entries };
}

function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

function nameOf({ invalid }: Builder, key: YamlNode): string {
  const scalar = resolveAlias(key);
  if (scalar.kind !== 'scalar') throw invalid(key.start, 'a key must be a scalar');
  return String(scalar.value ?? '');
}

function merge({ invalid }: Builder, value: Record<string, Json>, node: YamlNode): void {
  for (const source of mergeSources(node)) {
    if (!isJsonObject(source.value))
      throw invalid(node.start, 'the value of "<<" must be a map or a list of maps');
    for (const [name, merged] of Object.entries(source.value))
      if (!Object.hasOwn(value, name)) setMember(value, name, merged);
  }
}

function buildItems(builder: Builder, seq: YAMLSeq.Parsed): Children {
  // The parser also makes items of the comments at the end of a collection.
  const tokens = seq.srcToken?.items.filter(
    ({ start, key, sep, value }) => key || sep || value || start.some(({ type }) => !LAYOUT.has(type)),
  );
  const entries = seq.items.map((item, index) =>
    newEntry(tokens?.[index] ?? { start: [] }, index, undefined, undefined, buildNode(builder, item)),
  );
  return { value: entries.map(({ node }) => node.value), entries };
}

const LAYOUT = new Set(['space', 'newline', 'comment', 'comma']);

function newEntry(
  { start: before, key: keyToken, sep = [], value }: CST.CollectionItem,
  index: number,
  key: YamlNode | undefined,
  name: string | undefined,
  node: YamlNode,
): YamlEntry {
  let start: number | undefined;
  let indicatorEnd: number | undefined;
  let valueStart: number | undefined;
  let end = node.end;
  for (const token of [...before, ...(keyToken ? [keyToken] : []), ...sep]) {
    if (LAYOUT.has(token.type)) continue;
    start ??= token.offset;
    if ('source' in token) end = token.offset + token.source.length;
    // The colon in `[a: 1]` is part of the item.
    const isIndicator =
      token.type === 'seq-item-ind' || (token.type === 'map-value-ind' && key !== undefined);
    if (isIndicator) indicatorEnd = end;
    valueStart = isIndicator ? undefined : (valueStart ?? token.offset);
  }
  start ??= value ? value.offset : node.start;
  valueStart ??= value ? value.offset : (indicatorEnd ?? start);
  return { index, key, name, node, start, indicatorEnd, valueStart, end: value ? node.end : end };
}
