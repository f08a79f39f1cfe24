import { type Draft, type MapDraft, originOf, type SeqDraft } from './draft.ts';
import { flowText } from './flow-text.ts';
import {
  columnOf,
  entryEnd,
  lineEnd,
  lineStart,
  nextLine,
  type Place,
  placesOf,
  startsLine,
} from './layout.ts';
import { type Added, isUntouched, outline, type Standing } from './outline.ts';
import { renderEntry, renderItem } from './render-block.ts';
import { dashGap, replaceValue } from './replace-value.ts';
import type { Edit, Sheet } from './sheet.ts';
import { stringNode, toNode } from './to-node.ts';
import { Unspliceable } from './unspliceable.ts';

/**
 * What becomes of a collection that stays where it is, behind the indicator that ends at `slot` (a document's root has
 * none); undefined where it is better written anew.
 */
export function editInside(sheet: Sheet, draft: Draft, slot: number | undefined): Edit | undefined {
  if ((draft.kind !== 'map' && draft.kind !== 'seq') || draft.origin === undefined) return undefined;
  const { origin } = draft;
  if (!origin.flow) {
    const size = draft.kind === 'map' ? draft.entries.size : draft.items.length;
    return size === 0 ? undefined : editBlock(sheet, draft, slot);
  }
  const [start, end] = origin.range;
  // `{}` among blocks says nothing about how its first entries should be written.
  const blank = origin.items.length === 0 && /^.\s*.$/.test(sheet.text.slice(start, end));
  return blank && slot !== undefined ? undefined : { start, end, text: flowText(sheet, draft) };
}

/** Writes a block collection anew from its entries' own lines. */
function editBlock(sheet: Sheet, draft: MapDraft | SeqDraft, slot: number | undefined): Edit {
  const frame = frameOf(sheet, draft, slot);
  const entries = outline(sheet, draft);
  const stays = new Set(entries.map(({ index }) => index));
  const { above, left } = linesAbove(sheet, frame, stays);
  const indent = ' '.repeat(frame.column);
  const lines = entries.map((entry, position) => {
    const text =
      entry.index === undefined ? addedText(sheet, frame, entry) : standingText(sheet, frame, entry);
    const lines = entry.index === undefined ? '' : (above[entry.index] ?? '');
    const lead = position === 0 && entry.index !== 0 ? lines.replace(/^\s*\n/, '') : lines;
    if (position > 0 || frame.ownLine) return lead + indent + text;
    // What moves up behind a dash begins on the dash's line, comments first.
    return lead.trim() === '' ? text : lead.trimStart() + indent + text;
  });
  if (left !== '') lines.push(left.replace(/\r?\n$/, ''));
  return { start: frame.start, end: frame.end, text: lines.join(sheet.style.eol) };
}

interface Frame {
  readonly places: readonly Place[];
  /** Where each entry's last line ends. */
  readonly ends: readonly number[];
  readonly column: number;
  /** Whether the first entry begins its line, rather than follow a dash. */
  readonly ownLine: boolean;
  /** What stands between a dash and the items' content. */
  readonly gap: string;
  readonly start: number;
  readonly end: number;
}

function frameOf({ text }: Sheet, { origin }: MapDraft | SeqDraft, slot: number | undefined): Frame {
  const places = origin === undefined ? [] : placesOf(origin);
  const [first] = places;
  if (first === undefined) throw new Unspliceable('a block collection without entries');
  const column = columnOf(text, first.start);
  const ends = places.map(({ end }) => entryEnd(text, end, column));
  const ownLine = startsLine(text, first.start);
  const start = ownLine ? commentsAbove(text, lineStart(text, first.start), slot) : first.start;
  return { places, ends, column, ownLine, gap: dashGap(text, first), start, end: ends.at(-1) ?? first.end };
}

/** The start of the comment lines between an indicator and the first entry below it; a document's head is left alone. */
function commentsAbove(text: string, firstLine: number, slot: number | undefined): number {
  let start = firstLine;
  while (slot !== undefined && start > slot) {
    const previous = lineStart(text, start - 1);
    if (previous <= slot || !/^\s*(#|$)/.test(text.slice(previous, lineEnd(text, previous)))) break;
    start = previous;
  }
  return start;
}

/** The comment and blank lines above each entry that stays; comments above one that goes fall to the next that stays. */
function linesAbove(
  { text }: Sheet,
  { places, ends, start, ownLine }: Frame,
  stays: ReadonlySet<number | undefined>,
): { above: string[]; left: string } {
  let left = '';
  const above = places.map((place, index) => {
    const previous = ends[index - 1];
    const from = previous === undefined ? start : nextLine(text, previous);
    const until = index === 0 && !ownLine ? start : lineStart(text, place.start);
    const lines = text.slice(from, until);
    if (!stays.has(index)) {
      if (lines.trim() !== '') left += lines;
      return '';
    }
    const all = left + lines;
    left = '';
    return all;
  });
  return { above, left };
}

function addedText({ document, style }: Sheet, { column, gap }: Frame, { key, draft }: Added): string {
  const value = toNode(document, draft);
  if (key === undefined) {
    const { head, below } = renderItem(value, column + 1 + gap.length, style);
    return [`-${gap}${head}`, ...below].join(style.eol);
  }
  const { head, below } = renderEntry(stringNode(key), value, column, style);
  return [head, ...below].join(style.eol);
}

function standingText(sheet: Sheet, { places, ends, column }: Frame, entry: Standing): string {
  const place = places[entry.index];
  const end = ends[entry.index];
  if (place === undefined || end === undefined) throw new Unspliceable('an entry without a place');
  const { text } = sheet;
  const { draft, node } = entry;
  if (draft === undefined || isUntouched(entry)) return text.slice(place.start, end);
  const edit = node !== null && originOf(draft) === node ? editInside(sheet, draft, place.slot) : undefined;
  if (edit !== undefined) return text.slice(place.start, edit.start) + edit.text + text.slice(edit.end, end);
  // What is left of a collection that is written anew is its entries: its comments stay in the text.
  const bare = originOf(draft) === node && draft.kind !== 'kept' ? { ...draft, origin: undefined } : draft;
  return replaceValue(sheet, { ...place, column, end }, node, toNode(sheet.document, bare));
}
