import { type Edit, sourceText, type TextEdit } from './edit.ts';
import { editFlow, quotesFor } from './edit-flow.ts';
import { isPatched, type PatchedCollection, type PatchedNode, patchedEntries } from './patch-tree.ts';
import { renderItem, renderPair, renderValue } from './render-block.ts';
import { columnOf, entryLinesEnd, lineEnd, lineStart, nextLine, startsLine } from './text-lines.ts';
import { isCollection, type YamlEntry } from './yaml-tree.ts';

/**
 * The edit of a collection that stays in its place, after the indicator that ends at `indicatorEnd` (undefined for the root).
 * Undefined if its text cannot be reused.
 */
export function editCollection(
  edit: Edit,
  node: PatchedNode,
  indicatorEnd: number | undefined,
): TextEdit | undefined {
  if (!isPatched(node) || node.source === undefined) return undefined;
  const { start, end, entries, isFlow } = node.source;
  const [first] = entries;
  if (!isFlow && first !== undefined) return editBlock(edit, node, entries, first, indicatorEnd);
  // `{}` in a block is only a placeholder: its first entries are written in block style.
  const isPlaceholder = indicatorEnd !== undefined && /^.\s*.$/.test(edit.text.slice(start, end));
  return isPlaceholder && first === undefined ? undefined : editFlow(edit, node, node.source);
}

/** Puts the lines of a block collection together from the lines of its entries. Undefined if it has none. */
function editBlock(
  edit: Edit,
  collection: PatchedCollection,
  oldEntries: readonly YamlEntry[],
  first: YamlEntry,
  indicatorEnd: number | undefined,
): TextEdit | undefined {
  const { text, style } = edit;
  const entries = patchedEntries(collection);
  if (entries.length === 0) return undefined;
  const column = columnOf(text, first.start);
  const indent = ' '.repeat(column);
  const gap = gapAfterIndicator(text, first);
  const ends = oldEntries.map(({ end }) => entryLinesEnd(text, end, column));
  // Otherwise, the first entry follows a dash.
  const isOnOwnLine = startsLine(text, first.start);
  const start = isOnOwnLine ? commentsStart(text, lineStart(text, first.start), indicatorEnd) : first.start;
  const remaining = new Set(entries.map((entry) => entry.old));
  const { above, rest } = linesAbove(text, oldEntries, ends, start, remaining);
  const texts: string[] = [];
  for (const [index, { old, name, node }] of entries.entries()) {
    const entryText = old
      ? oldEntryText(edit, column, old, ends[old.index] ?? old.end, node)
      : newEntryText(edit, column, gap, name, node);
    let lead = old ? (above[old.index] ?? '') : '';
    const isBelowSameEntry = old && entries[index - 1]?.node === oldEntries[old.index - 1]?.node;
    if (!isBelowSameEntry) lead = outdentComments(lead, indent, texts.at(-1));
    if (index === 0 && old !== first) lead = lead.replace(/^\s*\n/, '');
    if (index > 0 || isOnOwnLine) texts.push(lead + indent + entryText);
    else texts.push(lead.trim() === '' ? entryText : lead.trimStart() + indent + entryText);
  }
  if (rest !== '') texts.push(outdentComments(rest, indent, texts.at(-1)).replace(/\r?\n$/, ''));
  return { start, end: ends.at(-1) ?? first.end, text: texts.join(style.eol) };
}

/** Comments below a block scalar would become part of it if they were indented like its text. */
function outdentComments(lines: string, indent: string, previous = ''): string {
  if (!/[|>][\d+-]*( #.*)?$/m.test(previous)) return lines;
  return lines.replace(/^[ \t]+(?=#)/gm, (space) => (space.length > indent.length ? indent : space));
}

/** The start of the comment lines between an indicator and the first entry. Comments above the root are not part of it. */
function commentsStart(text: string, firstLine: number, indicatorEnd: number | undefined): number {
  let start = firstLine;
  while (indicatorEnd !== undefined && start > indicatorEnd) {
    const previous = lineStart(text, start - 1);
    if (previous <= indicatorEnd || !/^\s*(#|$)/.test(text.slice(previous, lineEnd(text, previous)))) break;
    start = previous;
  }
  return start;
}

/** The comment and blank lines above each remaining entry. Comments above a removed one go to the next, or to `rest`. */
function linesAbove(
  text: string,
  entries: readonly YamlEntry[],
  ends: readonly number[],
  start: number,
  remaining: ReadonlySet<YamlEntry | undefined>,
): { above: string[]; rest: string } {
  let rest = '';
  const above = entries.map((entry, index) => {
    const previous = ends[index - 1];
    const from = previous === undefined ? start : nextLine(text, previous);
    const lines = text.slice(from, lineStart(text, entry.start));
    if (!remaining.has(entry)) {
      if (lines.trim() !== '') rest += lines;
      return '';
    }
    const all = rest + lines;
    rest = '';
    return all;
  });
  return { above, rest };
}

function newEntryText(
  edit: Edit,
  column: number,
  gap: string,
  name: string | undefined,
  node: PatchedNode,
): string {
  const { eol } = edit.style;
  if (name !== undefined) return renderPair(edit, name, undefined, node, column).join(eol);
  return `-${gap}${renderItem(edit, node, column + 1 + gap.length).join(eol)}`;
}

/** `end` is the end of the entry's last line. */
function oldEntryText(edit: Edit, column: number, old: YamlEntry, end: number, node: PatchedNode): string {
  if (node === old.node) return sourceText(edit, old.start, end);
  if (!isPatched(node) || node.source !== old.node) return replaceValue(edit, column, old, end, node);
  const change = editCollection(edit, node, old.indicatorEnd);
  // The comments of a collection that is printed again stay in the text, so they are not copied.
  if (change === undefined) return replaceValue(edit, column, old, end, { ...node, source: undefined });
  return sourceText(edit, old.start, change.start) + change.text + sourceText(edit, change.end, end);
}

/** The lines of an entry with another value; comments outside the old value stay. */
function replaceValue(edit: Edit, column: number, entry: YamlEntry, end: number, node: PatchedNode): string {
  const { text, style } = edit;
  const { start, indicatorEnd, key } = entry;
  const { behind, below } = commentsAround(text, entry, end);
  const isMultiline = 'value' in node && typeof node.value === 'string' && node.value.includes('\n');
  // A block scalar would include the comment lines below it.
  const type = isMultiline && below !== '' ? 'QUOTE_DOUBLE' : quotesFor(entry.node, node);
  const gap = gapAfterIndicator(text, entry);
  const itemColumn = column + 1 + gap.length;
  const lines = key ? renderValue(edit, node, column, type) : renderItem(edit, node, itemColumn, type);
  // The comment lines go between the dash and a block.
  if (below !== '' && lines.length > 1 && lines[0] !== '')
    lines.unshift('', ' '.repeat(itemColumn) + lines.shift());
  const [first = '', ...rest] = lines;
  const value = first === '' ? '' : gap + first;
  // An explicit key without a value, such as `? a`, gets a line with a colon.
  const head =
    indicatorEnd === undefined
      ? `${sourceText(edit, start, end)}${style.eol}${' '.repeat(column)}:${value}`
      : sourceText(edit, start, indicatorEnd) + value + (behind.trim() === '' ? '' : behind) + below;
  return [head, ...rest].join(style.eol);
}

/** The space after an indicator; a wide one as in `-   name: web` keeps the columns aligned. */
function gapAfterIndicator(text: string, { indicatorEnd, valueStart }: YamlEntry): string {
  const gap = indicatorEnd === undefined ? '' : text.slice(indicatorEnd, valueStart);
  return /^ +$/.test(gap) ? gap : ' ';
}

/** The comment behind an old value on its first line, and the comment lines below it that are not inside the value. */
function commentsAround(text: string, entry: YamlEntry, end: number): { behind: string; below: string } {
  const { indicatorEnd = entry.end, valueStart, node: old } = entry;
  if (isCollection(old) && !old.isFlow) {
    const isSameLine = lineStart(text, old.start) === lineStart(text, indicatorEnd);
    const line = text.slice(indicatorEnd, lineEnd(text, indicatorEnd));
    return { behind: isSameLine ? '' : (/(^|\s+)#.*$/.exec(line)?.[0] ?? ''), below: '' };
  }
  const isBlockScalar = old.kind === 'scalar' && old.type?.startsWith('BLOCK') === true;
  const header = isBlockScalar ? /^.[\d+-]*/.exec(text.slice(old.start, old.start + 3)) : null;
  const valueEnd = header === null ? old.end : old.start + header[0].length;
  const from = valueStart === indicatorEnd ? indicatorEnd : valueEnd;
  const eol = lineEnd(text, from);
  return { behind: text.slice(from, eol), below: isBlockScalar ? '' : text.slice(eol, end) };
}
