import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Pair,
  type ParsedNode,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { aliased, type Draft, effectivePairs } from './draft.ts';
import { keyText } from './source.ts';

/** Nodes to write a draft anew: its own copies, free of anchors and aliases, with the comments of what is kept. */
export function toNode(document: Document.Parsed, draft: Draft): Node {
  const node = draftNode(document, draft);
  const moved = draft.kind === 'fresh' ? undefined : draft.moved;
  if (moved === undefined) return node;
  dropCommentsBelow(node);
  if (moved.keyStays) delete node.comment;
  if (moved.keyStays || moved.from === 'seq') {
    delete node.commentBefore;
    delete node.spaceBefore;
  }
  return node;
}

/** The library counts comments below a block as its own, also those above what comes next. */
function dropCommentsBelow(node: unknown): void {
  if ((!isMap(node) && !isSeq(node)) || node.flow) return;
  delete node.comment;
  const last: unknown = node.items.at(-1);
  dropCommentsBelow(isPair(last) ? last.value : last);
}

function draftNode(document: Document.Parsed, draft: Draft): Node {
  switch (draft.kind) {
    case 'fresh':
      return valueNode(draft.value);
    case 'kept':
      return copyNode(document, draft.node);
    case 'map': {
      const map = draft.origin === undefined ? new YAMLMap() : copyProps(new YAMLMap(), draft.origin);
      const pairs = new Map(draft.origin === undefined ? [] : effectivePairs(document, draft.origin));
      for (const [key, entry] of draft.entries) {
        const pair = pairs.get(key);
        const keyNode = pair === undefined ? stringNode(key) : copyNode(document, pair.key);
        map.items.push(new Pair(keyNode, toNode(document, entry)));
      }
      return map;
    }
    case 'seq': {
      const seq = draft.origin === undefined ? new YAMLSeq() : copyProps(new YAMLSeq(), draft.origin);
      seq.items.push(...draft.items.map((item) => toNode(document, item.draft)));
      return seq;
    }
  }
}

export function valueNode(value: Json): Node {
  if (isJsonObject(value)) {
    const map = new YAMLMap();
    for (const [key, child] of Object.entries(value))
      map.items.push(new Pair(stringNode(key), valueNode(child)));
    return map;
  }
  if (isJsonArray(value)) {
    const seq = new YAMLSeq();
    for (const item of value) seq.items.push(valueNode(item));
    return seq;
  }
  return typeof value === 'string' ? stringNode(value) : new Scalar(value);
}

export function stringNode(value: string): Scalar<string> {
  const scalar = new Scalar(value);
  if (!canBeUnquoted(value)) scalar.type = 'QUOTE_DOUBLE';
  return scalar;
}

/**
 * A block scalar needs an indentation indicator for leading spaces, `+` for more than one final newline (and would then
 * own the blank lines that follow it), and cannot hold other line breaks: such strings are quoted.
 */
function canBeUnquoted(value: string): boolean {
  // The last two are special to readers of YAML 1.1, the latter as a key.
  if (/[\r\u0085\u2028\u2029\uFEFF]|^=$|^<<$/.test(value)) return false;
  return !value.includes('\n') || !/^\n*[ \t]|^\s*$|[ \t\n]\n$|[ \t]$/.test(value);
}

function copyNode(document: Document.Parsed, node: ParsedNode | null): Node {
  if (node === null) return new Scalar(null);
  if (isAlias(node)) return copyNode(document, aliased(document, node));
  if (isMap(node)) {
    const map = copyProps(new YAMLMap(), node);
    for (const [key, pair] of effectivePairs(document, node)) {
      const keyNode = isAlias(pair.key)
        ? stringNode(keyText(pair.key, document))
        : copyNode(document, pair.key);
      const value = copyNode(document, pair.value);
      commentEmpty(value, pair.value, pair.srcToken?.sep);
      map.items.push(new Pair(key === '<<' ? stringNode(key) : keyNode, value));
    }
    return map;
  }
  if (isSeq(node)) {
    const seq = copyProps(new YAMLSeq(), node);
    for (const item of node.items) seq.items.push(copyNode(document, item));
    return seq;
  }
  const scalar = copyProps(
    typeof node.value === 'string' ? stringNode(node.value) : new Scalar(node.value),
    node,
  );
  // A null that is not written would vanish from a flow sequence: `[]` for `[null]`.
  if (!isEmpty(node)) scalar.source = node.source;
  if (scalar.type === undefined && node.type !== undefined) scalar.type = node.type;
  return scalar;
}

/**
 * The library gives a value that is not written the comments on all lines below, the next entry's included: only the
 * one on its own line is its own.
 */
function commentEmpty(copy: Node, node: ParsedNode | null, tokens: readonly CST.SourceToken[] = []): void {
  if (node === null || !isEmpty(node)) return;
  const ownLine = tokens.slice(
    0,
    tokens.findIndex(({ type }) => type === 'newline'),
  );
  const comment = ownLine.find(({ type }) => type === 'comment');
  if (comment !== undefined) copy.comment = comment.source.slice(1);
}

function isEmpty(node: ParsedNode): boolean {
  return isScalar(node) && node.source === '' && node.type === 'PLAIN';
}

/** Standard tags go: the value that they gave is written so that it is read the same without them. */
function copyProps<T extends YAMLMap | YAMLSeq | Scalar>(copy: T, node: ParsedNode): T {
  if (node.comment != null && !isEmpty(node)) copy.comment = node.comment;
  if (node.commentBefore != null) copy.commentBefore = node.commentBefore;
  if (node.spaceBefore === true) copy.spaceBefore = true;
  if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')) copy.tag = node.tag;
  if ((isMap(copy) || isSeq(copy)) && (isMap(node) || isSeq(node)) && node.flow === true) copy.flow = true;
  return copy;
}
