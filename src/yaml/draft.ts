import { type Document, isAlias, isMap, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { parsePointer } from '../json/pointer.ts';
import { isMergePair, keyText, type Source, type SourcePair } from './source.ts';
import { Unspliceable } from './unspliceable.ts';

/**
 * What becomes of a document's nodes: most are kept as they stand, those on an operation's path are opened, and new
 * values come in. Only opened nodes cost anything, and what is kept keeps its text.
 */
export type Draft = Kept | Fresh | MapDraft | SeqDraft;
interface Movable {
  readonly moved?: Moved;
}
/** What a node that has moved leaves behind, besides the comments below it. */
export interface Moved {
  /** An item leaves the comments above it, too. */
  readonly from: 'map' | 'seq';
  /** Its key holds another value now, and keeps the comments beside it. */
  keyStays: boolean;
}
export interface Kept extends Movable {
  readonly kind: 'kept';
  /** Null for a key without a value, such as `a` in `{a, b: 1}`. */
  readonly node: ParsedNode | null;
}
export interface Fresh {
  readonly kind: 'fresh';
  readonly value: Json;
}
export interface MapDraft extends Movable {
  readonly kind: 'map';
  /** The map in the text that this is; undefined for a new one, and for a copy of an aliased one. */
  readonly origin: YAMLMap.Parsed | undefined;
  readonly entries: Map<string, Draft>;
  /** What has moved away, by the key that it had. */
  readonly taken: Map<string, Moved>;
}
export interface SeqDraft extends Movable {
  readonly kind: 'seq';
  readonly origin: YAMLSeq.Parsed | undefined;
  readonly items: Item[];
}
export interface Item {
  /** The node in the text whose place it has. */
  readonly place: ParsedNode | undefined;
  readonly draft: Draft;
}

/** Applies operations that are known to apply (`applyPatch` has done so to the value). */
export function draftPatch({ document }: Source, patch: Patch): Draft {
  // The root is an item like any other.
  const holder: SeqDraft = {
    kind: 'seq',
    origin: undefined,
    items: [item({ kind: 'kept', node: document.contents })],
  };
  for (const operation of patch) applyOperation(document, holder, operation);
  return holder.items[0]?.draft ?? { kind: 'fresh', value: null };
}

function applyOperation(document: Document.Parsed, holder: SeqDraft, operation: Operation): void {
  switch (operation.op) {
    case 'add':
    case 'replace':
      put(document, holder, operation, { kind: 'fresh', value: operation.value });
      break;
    case 'remove':
      take(document, holder, operation.path);
      break;
    case 'move':
      put(document, holder, operation, take(document, holder, operation.from));
      break;
  }
}

function put(document: Document.Parsed, holder: SeqDraft, { op, path }: Operation, draft: Draft): void {
  const { parent, segment } = parentOf(document, holder, path);
  if (parent.kind === 'map') putEntry(parent, segment, draft);
  else if (op === 'replace' || parent === holder) replaceItem(parent, segment, draft);
  else parent.items.splice(segment === '-' ? parent.items.length : Number(segment), 0, item(draft));
}

function putEntry({ entries, taken }: MapDraft, key: string, draft: Draft): void {
  entries.set(key, draft);
  const moved = taken.get(key);
  if (moved !== undefined && (draft.kind === 'fresh' || draft.moved !== moved)) moved.keyStays = true;
}

function take(document: Document.Parsed, holder: SeqDraft, path: string): Draft {
  const { parent, segment } = parentOf(document, holder, path);
  const draft = childOf(parent, segment);
  if (parent.kind === 'seq') parent.items.splice(Number(segment), 1);
  else takeEntry(parent, segment);
  if (draft.kind === 'fresh') return draft;
  // Comments are where it stood first, however often it moves.
  if (draft.moved !== undefined) return draft;
  const moved: Moved = { from: parent.kind, keyStays: false };
  if (parent.kind === 'map') parent.taken.set(segment, moved);
  return { ...draft, moved };
}

function takeEntry({ entries, taken }: MapDraft, key: string): void {
  entries.delete(key);
  const moved = taken.get(key);
  if (moved !== undefined) moved.keyStays = false;
}

function parentOf(
  document: Document.Parsed,
  holder: SeqDraft,
  path: string,
): { parent: MapDraft | SeqDraft; segment: string } {
  let parent: MapDraft | SeqDraft = holder;
  let segment = '0';
  for (const next of parsePointer(path)) {
    const child = open(document, childOf(parent, segment));
    if (parent.kind === 'map') parent.entries.set(segment, child);
    else replaceItem(parent, segment, child);
    parent = child;
    segment = next;
  }
  return { parent, segment };
}

function item(draft: Draft): Item {
  return { place: originOf(draft), draft };
}

function replaceItem({ items }: SeqDraft, segment: string, draft: Draft): void {
  items[Number(segment)] = { place: items[Number(segment)]?.place, draft };
}

/** The node in the text that a draft stands for. */
export function originOf(draft: Draft): ParsedNode | undefined {
  if (draft.kind === 'kept') return draft.node ?? undefined;
  return draft.kind === 'fresh' ? undefined : draft.origin;
}

function childOf(parent: MapDraft | SeqDraft, segment: string): Draft {
  const child = parent.kind === 'map' ? parent.entries.get(segment) : parent.items[Number(segment)]?.draft;
  if (child === undefined) throw new Unspliceable(`nothing at "${segment}"`);
  return child;
}

function open(document: Document.Parsed, draft: Draft): MapDraft | SeqDraft {
  if (draft.kind === 'kept') {
    const opened = openNode(document, draft.node);
    return draft.moved === undefined ? opened : { ...opened, moved: draft.moved };
  }
  if (draft.kind !== 'fresh') return draft;
  if (isJsonObject(draft.value)) {
    const entries = Object.entries(draft.value).map(
      ([key, value]) => [key, { kind: 'fresh', value }] as const,
    );
    return { kind: 'map', origin: undefined, entries: new Map(entries), taken: new Map() };
  }
  if (isJsonArray(draft.value)) {
    return {
      kind: 'seq',
      origin: undefined,
      items: draft.value.map((value) => item({ kind: 'fresh', value })),
    };
  }
  throw new Unspliceable('a scalar has nothing inside');
}

function openNode(document: Document.Parsed, node: ParsedNode | null): MapDraft | SeqDraft {
  if (isAlias(node)) {
    const copy = openNode(document, aliased(document, node));
    // Not the anchored node itself: that one stays as it is.
    return { ...copy, origin: undefined };
  }
  if (isMap(node)) {
    const entries = effectivePairs(document, node).map(
      ([key, pair]) => [key, { kind: 'kept', node: pair.value }] as const,
    );
    return { kind: 'map', origin: node, entries: new Map(entries), taken: new Map() };
  }
  if (isSeq(node)) {
    return { kind: 'seq', origin: node, items: node.items.map((node) => item({ kind: 'kept', node })) };
  }
  throw new Unspliceable('a scalar has nothing inside');
}

/** A map's pairs by key: its own, then those that it merges in and does not override. */
export function effectivePairs(document: Document.Parsed, map: YAMLMap.Parsed): [string, SourcePair][] {
  const pairs = new Map<string, SourcePair>();
  for (const pair of map.items) if (!isMergePair(pair)) pairs.set(keyText(pair.key, document), pair);
  for (const pair of map.items.filter(isMergePair)) {
    for (const source of mergeSources(document, pair.value)) {
      for (const [key, merged] of effectivePairs(document, source))
        if (!pairs.has(key)) pairs.set(key, merged);
    }
  }
  return [...pairs];
}

function mergeSources(document: Document.Parsed, value: ParsedNode | null): YAMLMap.Parsed[] {
  const node = isAlias(value) ? aliased(document, value) : value;
  if (isMap(node)) return [node];
  return isSeq(node) ? node.items.flatMap((item) => mergeSources(document, item)) : [];
}

/** What an alias stands for. */
export function aliased(document: Document.Parsed, alias: ParsedNode): ParsedNode {
  const node = isAlias(alias) ? alias.resolve(document) : undefined;
  if (node === undefined) throw new Unspliceable('an alias without an anchor');
  // Whatever a parsed document's alias resolves to has been parsed with it.
  return node as ParsedNode;
}
