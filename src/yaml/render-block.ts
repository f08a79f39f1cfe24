import { isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { renderFlow } from './render-flow.ts';
import { scalarText } from './scalar-text.ts';
import type { Style } from './style.ts';
import { Unspliceable } from './unspliceable.ts';

/** New text in block style: what follows an indicator on its line, and the lines below with their full indentation. */
export interface Rendered {
  readonly head: string;
  readonly below: readonly string[];
}

/** A value behind a key in the given column. */
export function renderValue(value: Node, column: number, style: Style): Rendered {
  if (isBlock(value)) {
    const lines = renderLines(value, column + (isSeq(value) ? style.seqStep : style.step), style);
    return { head: '', below: lines };
  }
  return renderInline(value, column + style.step, style);
}

/** An item behind a dash; `column` is the item's own, not the dash's. */
export function renderItem(value: Node, column: number, style: Style): Rendered {
  if (!isBlock(value)) return renderInline(value, column, style);
  const [first = '', ...below] = renderLines(value, column, style);
  return { head: first.trimStart(), below };
}

/** A key and its value; the head is the entry's first line. */
export function renderEntry(key: Node, value: Node, column: number, style: Style): Rendered {
  const { head, below } = renderValue(value, column, style);
  if (!isScalar(key)) throw new Unspliceable('a key that is not a scalar');
  return { head: `${keyOf(key, style)}:${head === '' ? '' : ` ${head}`}`, below };
}

/** All lines of a value that stands on lines of its own. */
export function renderLines(value: Node, column: number, style: Style): string[] {
  const indent = ' '.repeat(column);
  if (isMap(value) && isBlock(value)) {
    const lines = (value.items as Pair<Node, Node>[]).flatMap(({ key, value }) => {
      const { head, below } = renderEntry(key, value ?? new Scalar(null), column, style);
      const above = linesBefore(key, indent);
      const own = linesBefore(value, indent);
      // Between a scalar and its lines there is no room: a comment there would be part of a block scalar.
      return value !== null && isBlock(value)
        ? [...above, indent + head, ...own, ...below]
        : [...above, ...own, indent + head, ...below];
    });
    return [...lines, ...commentLines(value.comment, indent)];
  }
  if (isSeq(value) && isBlock(value)) {
    const lines = (value.items as Node[]).flatMap((item) => {
      const { head, below } = renderItem(item, column + 2, style);
      return [...linesBefore(item, indent), `${indent}-${head === '' ? '' : ` ${head}`}`, ...below];
    });
    return [...lines, ...commentLines(value.comment, indent)];
  }
  const { head, below } = renderInline(value, column, style);
  return [indent + head, ...below];
}

function isBlock(node: Node): node is YAMLMap | YAMLSeq {
  return (isMap(node) || isSeq(node)) && !node.flow && node.items.length > 0;
}

/** A scalar or a flow collection. */
function renderInline(value: Node, column: number, style: Style): Rendered {
  if (!isScalar(value)) {
    const flow = { json: false, colon: ': ', comma: ', ', lines: false } as const;
    const comment = value.comment == null ? '' : ` #${value.comment.replaceAll('\n', ' ')}`;
    return { head: renderFlow(value, '', flow, style) + comment, below: [] };
  }
  const [head = '', ...below] = scalarText(value, style).split('\n');
  return { head, below: below.map((line) => (line === '' ? '' : ' '.repeat(column) + line)) };
}

function keyOf(key: Scalar, style: Style): string {
  const bare = new Scalar(key.value);
  if (key.source !== undefined) bare.source = key.source;
  if (key.type === 'QUOTE_DOUBLE' || key.type === 'QUOTE_SINGLE') bare.type = key.type;
  if (typeof key.value === 'string' && key.value.includes('\n')) bare.type = 'QUOTE_DOUBLE';
  return scalarText(bare, style);
}

function linesBefore(node: Node | null, indent: string): string[] {
  const comments = commentLines(node?.commentBefore, indent);
  return node?.spaceBefore === true ? ['', ...comments] : comments;
}

function commentLines(comment: string | null | undefined, indent: string): string[] {
  if (comment == null) return [];
  return comment.split('\n').map((line) => (line === '' ? '' : `${indent}#${line}`));
}
