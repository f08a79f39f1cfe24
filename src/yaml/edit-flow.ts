import type { Scalar } from 'yaml';
import { tryParseJson } from '../json/try-parse-json.ts';
import { type Edit, sourceText, type TextEdit } from './edit.ts';
import { isPatched, type PatchedCollection, type PatchedNode, patchedEntries } from './patch-tree.ts';
import { type FlowStyle, renderFlow, renderFlowKey } from './render-flow.ts';
import { indentAt } from './text-lines.ts';
import type { YamlCollection, YamlEntry, YamlNode } from './yaml-tree.ts';

/** Edits an outermost flow collection, reusing the text of its items unless their syntax is too unusual. */
export function editFlow(edit: Edit, collection: PatchedCollection, source: YamlCollection): TextEdit {
  const { start, end } = source;
  const flow = flowStyleOf(edit.text.slice(start, end));
  const reused = collectionText(edit, collection, source, flow);
  return { start, end, text: reused ?? renderFlow(edit, collection, indentAt(edit.text, start), flow) };
}

/** The quotes of a string that a new string replaces, if the new one can have them. */
export function quotesFor(old: YamlNode, node: PatchedNode): Scalar.Type | undefined {
  const type = old.kind === 'scalar' ? old.type : undefined;
  if (type !== 'QUOTE_DOUBLE' && type !== 'QUOTE_SINGLE') return undefined;
  if (node.kind !== 'new' || typeof node.value !== 'string') return undefined;
  return node.value.includes('\n') ? undefined : type;
}

function flowStyleOf(text: string): FlowStyle {
  const json = tryParseJson(text) !== undefined;
  return {
    json,
    colon: json && /":[^\s]/.test(text) && !/":\s/.test(text) ? ':' : ': ',
    comma: /,\S/.test(text) && !/,\s/.test(text) ? ',' : ', ',
    lines: text.includes('\n'),
  };
}

function collectionText(
  edit: Edit,
  collection: PatchedCollection,
  source: YamlCollection,
  outer: FlowStyle,
): string | undefined {
  const { text } = edit;
  const { start, end, entries: old } = source;
  // A map without braces, as in `[a: 1]`.
  if (!/[{[]/.test(text[start] ?? '')) return undefined;
  const indent = outer.lines ? indentAt(text, start) : '';
  const entries = patchedEntries(collection);
  if (entries.length === 0) return renderFlow(edit, collection, indent, outer);
  if (old.length === 0) {
    const comments = text.slice(start + 1, end - 1).trimEnd();
    if (comments === '') return renderFlow(edit, collection, indent, outer);
    const printed = renderFlow(edit, collection, indentAt(text, start), { ...outer, lines: true });
    return text[start] + comments + printed.slice(1);
  }

  const gaps = gapsOf(text, start, old, end);
  const [firstGap = NO_GAP] = gaps;
  const closing = gaps.at(-1) ?? NO_GAP;
  if (gaps.some(({ lead }) => lead.replace(/#.*/g, '').includes(','))) return undefined;
  const lastLead = gaps.at(-2)?.lead ?? '';
  const flow = { ...outer, lines: lastLead.includes('\n') };
  const lineLead = flow.lines ? lastLead.slice(lastLead.search(/\r?\n[^\n]*$/)) : undefined;
  const orphans = orphanComments(gaps, new Set(entries.map((entry) => entry.old?.index)));
  let body = '';
  for (const [index, { old: oldEntry, name, node }] of entries.entries()) {
    const comma = closing.comma || index < entries.length - 1 ? ',' : '';
    const inlineLead = index === 0 ? firstGap.lead : flow.comma.slice(1);
    if (oldEntry === undefined) {
      const key = name === undefined ? '' : renderFlowKey(edit, name, undefined, flow);
      const value = renderFlow(edit, node, lineLead?.replace(/^\r?\n/, '') ?? indent, flow);
      body += (lineLead ?? inlineLead) + key + value + comma;
      continue;
    }
    const entryText = oldEntryText(edit, oldEntry, node, flow);
    if (entryText === undefined) return undefined;
    const { lead } = gaps[oldEntry.index] ?? NO_GAP;
    const isDisplaced = (oldEntry.index === 0) !== (index === 0) && !lead.includes('\n');
    body += (orphans.get(oldEntry.index) ?? '') + (isDisplaced ? inlineLead : lead) + entryText + comma;
    body += gaps[oldEntry.index + 1]?.tail ?? '';
  }
  const rest = (orphans.get(old.length) ?? '') + closing.lead;
  return `${text[start]}${firstGap.tail}${body}${rest}${text[end - 1]}`;
}

/** The text between two items without its comma: the tail belongs to the first item, the lead to the second. */
interface Gap {
  readonly comma: boolean;
  readonly tail: string;
  readonly lead: string;
}
const NO_GAP: Gap = { comma: false, tail: '', lead: '' };

function gapsOf(text: string, start: number, old: readonly YamlEntry[], end: number): Gap[] {
  const edges = [...old.map((entry) => entry.start), end - 1];
  return edges.map((edge, index) => gapOf(text.slice(old[index - 1]?.end ?? start + 1, edge)));
}

function gapOf(gap: string): Gap {
  const commaEnd = /^[^,#]*,/.exec(gap)?.[0].length;
  const newline = gap.search(/\r?\n/);
  if (newline === -1) {
    return { comma: commaEnd !== undefined, tail: '', lead: gap.slice(commaEnd ?? 0) };
  }
  const firstLine = gap.slice(0, newline);
  const lead = gap.slice(newline);
  if (commaEnd !== undefined && commaEnd <= newline) {
    return { comma: true, tail: firstLine.slice(0, commaEnd - 1) + firstLine.slice(commaEnd), lead };
  }
  return { comma: false, tail: firstLine, lead };
}

/** The comment lines above removed items, by the index of the next remaining item. */
function orphanComments(
  gaps: readonly Gap[],
  remaining: ReadonlySet<number | undefined>,
): Map<number, string> {
  const orphans = new Map<number, string>();
  let comments = '';
  for (const [index, { lead }] of gaps.entries()) {
    if (remaining.has(index) || index === gaps.length - 1) {
      if (comments !== '') orphans.set(index, comments);
      comments = '';
    } else if (lead.includes('#')) {
      comments += lead.slice(0, lead.search(/\r?\n[^\n]*$/));
    }
  }
  return orphans;
}

function oldEntryText(edit: Edit, old: YamlEntry, node: PatchedNode, flow: FlowStyle): string | undefined {
  const { start, indicatorEnd, valueStart, end } = old;
  if (node === old.node) return sourceText(edit, start, end);
  if (isPatched(node) && node.source && node.source === old.node) {
    const { source } = node;
    const value = collectionText(edit, node, source, flow);
    if (value === undefined) return undefined;
    return sourceText(edit, start, source.start) + value + sourceText(edit, source.end, end);
  }
  const indent = flow.lines ? indentAt(edit.text, start) : '';
  const value = renderFlow(edit, node, indent, flow, quotesFor(old.node, node));
  if (old.key !== undefined && indicatorEnd === undefined) return `${sourceText(edit, start, end)}: ${value}`;
  const space = indicatorEnd === valueStart ? flow.colon.slice(1) : '';
  return sourceText(edit, start, valueStart) + space + value;
}
