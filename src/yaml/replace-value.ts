import { isMap, isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import { inlineEnd, lineEnd, lineStart, type Place } from './layout.ts';
import { type Rendered, renderItem, renderValue } from './render-block.ts';
import type { Sheet } from './sheet.ts';
import type { Style } from './style.ts';
import { Unspliceable } from './unspliceable.ts';

/** An entry of a block collection, with the end of its last line. */
interface Entry extends Place {
  readonly column: number;
}

/** The lines of an entry with another value; comments that are not inside the old value stay. */
export function replaceValue(
  { text, style }: Sheet,
  entry: Entry,
  old: ParsedNode | null,
  value: Node,
): string {
  const { slot, start } = entry;
  if (slot === undefined || old === null) throw new Unspliceable('a key without a value');
  const { behind, comments } = whatStays(text, entry, slot, old);
  const { head, below } = render(
    text,
    entry,
    comments === '' ? inQuotesOf(old, value) : inOneLine(inQuotesOf(old, value)),
    style,
  );
  const gap = dashGap(text, entry);
  const rest = behind.trim() === '' ? '' : behind;
  return [text.slice(start, slot) + (head === '' ? '' : gap + head) + rest + comments, ...below].join(
    style.eol,
  );
}

/** What stands between an indicator and what follows: some write `-   name: web`, to stay on columns of four. */
export function dashGap(text: string, { slot, valueStart }: Place): string {
  const gap = slot === undefined ? '' : text.slice(slot, valueStart);
  return /^ +$/.test(gap) ? gap : ' ';
}

/** Of an old value's lines: the comment behind it on its first line, and comment lines below that are not inside it. */
function whatStays(
  text: string,
  { valueStart, end }: Entry,
  slot: number,
  old: ParsedNode,
): { behind: string; comments: string } {
  if ((isMap(old) || isSeq(old)) && !old.flow) {
    const sameLine = lineStart(text, old.range[0]) === lineStart(text, slot);
    const line = text.slice(slot, lineEnd(text, slot));
    return { behind: sameLine ? '' : (/(^|\s+)#.*$/.exec(line)?.[0] ?? ''), comments: '' };
  }
  const from = valueStart === slot ? slot : inlineEnd(old);
  const eol = lineEnd(text, from);
  const isBlockScalar = old.srcToken?.type === 'block-scalar';
  return { behind: text.slice(from, eol), comments: isBlockScalar ? '' : text.slice(eol, end) };
}

/** A string keeps the quotes of the one it replaces. */
export function inQuotesOf(old: ParsedNode | null, value: Node): Node {
  const quotes = isScalar(old) ? old.type : undefined;
  if (quotes !== 'QUOTE_DOUBLE' && quotes !== 'QUOTE_SINGLE') return value;
  if (!isScalar(value) || typeof value.value !== 'string' || value.value.includes('\n')) return value;
  if (value.type === undefined) value.type = quotes;
  return value;
}

/** A block scalar would take in the comment lines below it. */
function inOneLine(value: Node): Node {
  if (isScalar(value) && typeof value.value === 'string' && value.value.includes('\n'))
    value.type = 'QUOTE_DOUBLE';
  return value;
}

function render(text: string, entry: Entry, value: Node, style: Style): Rendered {
  const isItem = text[entry.start] === '-' && entry.slot === entry.start + 1;
  return isItem
    ? renderItem(value, entry.column + 1 + dashGap(text, entry).length, style)
    : renderValue(value, entry.column, style);
}
