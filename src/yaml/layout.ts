import type { CST, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { Unspliceable } from './unspliceable.ts';

/** Where a pair or an item stands in the text. */
export interface Place {
  /** Of its dash, its key, or the properties (`&anchor`, `!tag`) of its key. */
  readonly start: number;
  /** Just behind the `-` or `:` that its value follows; undefined for a key without one. */
  readonly slot: number | undefined;
  /** Where the value's properties or else the value begin; the slot where there is no value. */
  readonly valueStart: number;
  /** Behind its last character, line break and comments not counted. */
  readonly end: number;
}

export function placesOf(node: YAMLMap.Parsed | YAMLSeq.Parsed): Place[] {
  const token = node.srcToken;
  if (token === undefined) throw new Unspliceable('a node without a source');
  const items = token.items.filter((item) => isEntry(token, item));
  if (items.length !== node.items.length) throw new Unspliceable('an unusual collection');
  return items.map(placeOf);
}

/** Comments at the end of a collection are items of their own in the syntax tree. */
function isEntry(
  parent: CST.BlockMap | CST.BlockSequence | CST.FlowCollection,
  item: CST.CollectionItem,
): boolean {
  if (item.key || item.sep || item.value) return true;
  if (parent.type === 'block-seq') return item.start.some(({ type }) => type === 'seq-item-ind');
  return item.start.some(({ type }) => PROPERTIES.has(type) || type === 'explicit-key-ind');
}

const PROPERTIES = new Set(['anchor', 'tag']);

function placeOf(item: CST.CollectionItem): Place {
  const { start: before, key, sep, value } = item;
  const tokens = [...before, ...(key ? [key] : []), ...(sep ?? []), ...(value ? [value] : [])];
  const solid = tokens.filter(({ type }) => !LAYOUT.has(type));
  const [first] = solid;
  const last = solid.at(-1);
  if (first === undefined || last === undefined) throw new Unspliceable('an empty entry');
  const indicator = [...before, ...(sep ?? [])].findLast(
    ({ type }) => type === 'seq-item-ind' || type === 'map-value-ind',
  );
  const slot = indicator === undefined ? undefined : indicator.offset + 1;
  // Items of a flow sequence have no indicator; their properties are their beginning.
  const behind = solid.find(({ offset }) => offset >= (slot ?? 0));
  return { start: first.offset, slot, valueStart: behind?.offset ?? slot ?? first.offset, end: endOf(last) };
}

const LAYOUT = new Set(['space', 'newline', 'comment', 'comma']);

/** Behind a token's last character that counts; what remains on its line is a comment at most. */
export function endOf(token: CST.Token): number {
  switch (token.type) {
    case 'block-map':
    case 'block-seq': {
      const last = token.items.findLast((item) => isEntry(token, item));
      return last === undefined ? token.offset : placeOf(last).end;
    }
    case 'flow-collection': {
      const [close] = token.end;
      return close === undefined ? token.offset : close.offset + close.source.length;
    }
    case 'block-scalar':
      return blockScalarEnd(token);
    case 'document':
      throw new Unspliceable('a document inside a document');
    default:
      return token.offset + token.source.length;
  }
}

/** Blank lines behind a block scalar are its own only where its header says so (`|+`). */
function blockScalarEnd(token: CST.BlockScalar): number {
  const bodyStart = blockScalarBody(token);
  const header = token.props.find(({ type }) => type === 'block-scalar-header');
  if (header !== undefined && 'source' in header && header.source.includes('+')) {
    return bodyStart + token.source.replace(/\r?\n$/, '').length;
  }
  const text = token.source.trimEnd();
  return text === ''
    ? token.offset + (header !== undefined && 'source' in header ? header.source.length : 1)
    : bodyStart + text.length;
}

function blockScalarBody(token: CST.BlockScalar): number {
  return token.props.reduce((end, prop) => end + ('source' in prop ? prop.source.length : 0), token.offset);
}

/** Where a scalar, alias or flow collection ends; for a block scalar, where its header does. */
export function inlineEnd(node: ParsedNode): number {
  const token = node.srcToken;
  if (token?.type === 'block-scalar') {
    const [header] = token.props;
    return token.offset + (header !== undefined && 'source' in header ? header.source.length : 1);
  }
  return node.range[1];
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the last character of a line, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  if (newline === -1) return text.length;
  return newline > offset && text[newline - 1] === '\r' ? newline - 1 : newline;
}

/** The start of the next line; the text's length where there is none. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (start === 0 && text.startsWith('\uFEFF') ? 1 : 0);
}

/** Whether nothing but indentation stands before it on its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).replace('\uFEFF', '').trim() === '';
}

/**
 * The end of the lines that belong to an entry in the given column: those of its content, and the comment lines below
 * that stand further right than the entry does.
 */
export function entryEnd(text: string, contentEnd: number, column: number): number {
  let end = lineEnd(text, contentEnd);
  for (let line = nextLine(text, end); line < text.length; line = nextLine(text, line)) {
    const content = text.slice(line, lineEnd(text, line));
    const indent = content.length - content.trimStart().length;
    if (content.trim() === '') continue;
    if (content[indent] !== '#' || indent <= column) break;
    end = line + content.length;
  }
  return end;
}
