import { isCollection, type Node, type ParsedNode } from 'yaml';
import { parsedJson } from '../json/parsed-json.ts';
import { type MapDraft, originOf, type SeqDraft } from './draft.ts';
import { lineStart, type Place, placesOf } from './layout.ts';
import { type Added, isUntouched, outline, type Standing } from './outline.ts';
import { type FlowStyle, renderFlow, renderPair } from './render-flow.ts';
import { inQuotesOf } from './replace-value.ts';
import type { Sheet } from './sheet.ts';
import { stringNode, toNode } from './to-node.ts';
import { Unspliceable } from './unspliceable.ts';

/** Writes an outermost flow collection anew from its items' own text. */
export function flowText(sheet: Sheet, draft: MapDraft | SeqDraft): string {
  return collectionText(sheet, draft, flowStyleOf(sheet, draft));
}

function flowStyleOf({ text }: Sheet, { origin }: MapDraft | SeqDraft): FlowStyle {
  const source = origin === undefined ? '' : text.slice(origin.range[0], origin.range[1]);
  const json = parsedJson(source) !== undefined;
  return {
    json,
    colon: json && /":[^\s]/.test(source) && !/":\s/.test(source) ? ':' : ': ',
    comma: /,\S/.test(source) && !/,\s/.test(source) ? ',' : ', ',
    lines: source.includes('\n'),
  };
}

/** An item with what belongs to it: the space and comments before it, and the comment behind it on its line. */
interface Piece {
  readonly lead: string;
  readonly text: string;
  readonly tail: string;
}

function collectionText(sheet: Sheet, draft: MapDraft | SeqDraft, outer: FlowStyle): string {
  const { text, document, style } = sheet;
  const { origin } = draft;
  if (origin === undefined) throw new Unspliceable('a collection that is not in the text');
  const [start, end] = origin.range;
  const indent = indentAt(text, start);
  const places = placesOf(origin);
  if (places.length === 0) return emptyText(sheet, draft, indent, outer);
  const gaps = gapsOf(text, start, places, end);
  const items = outline(sheet, draft);
  if (items.length === 0) return renderFlow(toNode(document, draft), indent, outer, style);

  const lines = gaps.slice(0, -1).at(-1)?.lead.includes('\n') === true;
  const flow = { ...outer, lines };
  const lastLead = gaps[places.length - 1]?.lead ?? '';
  const newLead = lines ? lastLead.slice(lastLead.search(/\r?\n[^\n]*$/)) : undefined;
  const stays = new Set(items.map(({ index }) => index));
  const orphans = orphanComments(gaps, stays);
  const pieces = items.map((item, position): Piece => {
    const separator = flow.comma.slice(1);
    if (item.index === undefined) {
      const positional = position === 0 ? (gaps[0]?.lead ?? '') : separator;
      const itemIndent = newLead === undefined ? indent : newLead.replace(/^\r?\n/, '');
      return { lead: newLead ?? positional, text: addedText(sheet, item, itemIndent, flow), tail: '' };
    }
    const place = places[item.index];
    const gap = gaps[item.index];
    const behind = gaps[item.index + 1];
    if (place === undefined || gap === undefined || behind === undefined)
      throw new Unspliceable('an item without a place');
    const moved = (item.index === 0) !== (position === 0) && !gap.lead.includes('\n');
    const lead = moved ? (position === 0 ? (gaps[0]?.lead ?? '') : separator) : gap.lead;
    return {
      lead: (orphans.get(item.index) ?? '') + lead,
      text: standingText(sheet, item, place, flow),
      tail: behind.tail,
    };
  });
  const close = gaps[places.length];
  const trailing = close?.comma === true;
  const body = pieces.map(({ lead, text, tail }, index) => {
    const comma = trailing || index < pieces.length - 1 ? ',' : '';
    return `${lead}${text}${comma}${tail}`;
  });
  const closing = (orphans.get(places.length) ?? '') + (close?.lead ?? '');
  return `${text[start]}${gaps[0]?.tail ?? ''}${body.join('')}${closing}${text[end - 1]}`;
}

/** The first items of an empty collection; a comment inside it stays. */
function emptyText(sheet: Sheet, draft: MapDraft | SeqDraft, indent: string, flow: FlowStyle): string {
  const [start, end] = draft.origin?.range ?? [0, 0];
  if (/^.\s*.$/.test(sheet.text.slice(start, end))) {
    return renderFlow(toNode(sheet.document, draft), indent, flow, sheet.style);
  }
  throw new Unspliceable('an empty flow collection with comments');
}

/** What stands between two items, cut where it stops belonging to the first. */
interface Gap {
  readonly comma: boolean;
  readonly tail: string;
  readonly lead: string;
}

function gapsOf(text: string, start: number, places: readonly Place[], end: number): Gap[] {
  const edges = [...places.map((place) => place.start), end - 1];
  return edges.map((edge, index) => gapOf(text.slice(places[index - 1]?.end ?? start + 1, edge)));
}

function gapOf(gap: string): Gap {
  const comma = /^[^,#]*,/.exec(gap)?.[0].length;
  const newline = gap.search(/\r?\n/);
  if (newline === -1) {
    if (comma === undefined) return { comma: false, tail: '', lead: gap };
    return { comma: true, tail: '', lead: gap.slice(comma) };
  }
  const first = gap.slice(0, newline);
  const lead = gap.slice(newline);
  if (comma !== undefined && comma <= newline) {
    return { comma: true, tail: first.slice(0, comma - 1) + first.slice(comma), lead };
  }
  if (lead.replace(/#.*/g, '').includes(',')) throw new Unspliceable('a comma on the next line');
  return { comma: false, tail: first, lead };
}

/** Comment lines above items that go, by the index of the next item that stays. */
function orphanComments(gaps: readonly Gap[], stays: ReadonlySet<number | undefined>): Map<number, string> {
  const orphans = new Map<number, string>();
  let comments = '';
  for (const [index, { lead }] of gaps.entries()) {
    if (stays.has(index) || index === gaps.length - 1) {
      if (comments !== '') orphans.set(index, comments);
      comments = '';
    } else if (lead.includes('#')) {
      comments += lead.slice(0, lead.search(/\r?\n[^\n]*$/));
    }
  }
  return orphans;
}

function standingText(sheet: Sheet, item: Standing, place: Place, flow: FlowStyle): string {
  const { text, document, style } = sheet;
  const { node, draft } = item;
  if (draft === undefined || isUntouched(item)) return text.slice(place.start, place.end);
  if ((draft.kind === 'map' || draft.kind === 'seq') && isCollection(node) && originOf(draft) === node) {
    const [start, end] = rangeOf(node);
    return text.slice(place.start, start) + collectionText(sheet, draft, flow) + text.slice(end, place.end);
  }
  const value = renderFlow(
    inQuotesOf(node, toNode(document, draft)),
    indentAt(text, place.start),
    flow,
    style,
  );
  if (place.slot === undefined && isPairWithoutValue(item))
    return `${text.slice(place.start, place.end)}: ${value}`;
  const before = text.slice(place.start, place.valueStart);
  return place.slot === place.valueStart ? `${before}${flow.colon.slice(1)}${value}` : before + value;
}

function isPairWithoutValue({ node }: Standing): boolean {
  return node === null;
}

function rangeOf(node: ParsedNode): readonly [number, number] {
  return [node.range[0], node.range[1]];
}

function addedText(
  { document, style }: Sheet,
  { key, draft }: Added,
  indent: string,
  flow: FlowStyle,
): string {
  const node: Node = toNode(document, draft);
  return key === undefined
    ? renderFlow(node, indent, flow, style)
    : renderPair(stringNode(key), node, indent, flow, style);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}
