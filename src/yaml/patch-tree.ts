import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { parsePointer } from '../json/pointer.ts';
import { PodgraftError } from '../podgraft-error.ts';
import {
  effectiveEntries,
  type YamlCollection,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from './yaml-tree.ts';

/** A node of a patched document: unchanged, new, or a collection on the path of an operation. */
export type PatchedNode = YamlNode | NewNode | PatchedCollection;
export type PatchedCollection = PatchedMap | PatchedSeq;
export interface NewNode {
  readonly kind: 'new';
  readonly value: Json;
}
export interface PatchedMap {
  readonly kind: 'patched-map';
  /** The map in the text; undefined for a new map and for a copy of an aliased one. */
  readonly source: YamlCollection | undefined;
  readonly entries: Map<string, PatchedNode>;
}
export interface PatchedSeq {
  readonly kind: 'patched-seq';
  readonly source: YamlCollection | undefined;
  readonly items: PatchedEntry[];
}
export interface PatchedEntry {
  /** The entry of the source collection whose place it takes; undefined if it is new. */
  readonly old: YamlEntry | undefined;
  /** Undefined for an item and for the merge key `<<`. */
  readonly name?: string | undefined;
  readonly node: PatchedNode;
}

export interface PatchedTree {
  readonly patched: PatchedNode;
  /** The nodes that were moved, with their first location. */
  readonly moved: ReadonlyMap<YamlNode, Location>;
}
export interface Location {
  readonly parent: PatchedCollection;
  readonly segment: string;
}

/** Applies a patch (RFC 6902) to a tree. */
export function patchTree(root: YamlNode, patch: Patch): PatchedTree {
  // The root is an entry of this map, so that every node has a parent.
  const holder: PatchedMap = { kind: 'patched-map', source: undefined, entries: new Map([['', root]]) };
  const moved = new Map<YamlNode, Location>();
  for (const operation of patch) applyOperation(holder, moved, operation);
  return { patched: holder.entries.get('') ?? root, moved };
}

/** The value of a patched node; the values of unchanged nodes are not copied. */
export function patchedValue(node: PatchedNode): Json {
  if (node.kind === 'patched-seq') return node.items.map((item) => patchedValue(item.node));
  if (node.kind !== 'patched-map') return node.value;
  return Object.fromEntries([...node.entries].map(([name, entry]) => [name, patchedValue(entry)]));
}

export function isPatched(node: PatchedNode): node is PatchedCollection {
  return node.kind === 'patched-map' || node.kind === 'patched-seq';
}

/** The node in the text that a patched node is or was. */
export function sourceOf(node: PatchedNode): YamlNode | undefined {
  if (node.kind === 'new') return undefined;
  return isPatched(node) ? node.source : node;
}

/** A node as a collection of its children, or else as a scalar; aliases are resolved. */
export function contentOf(node: PatchedNode): PatchedCollection | YamlScalar | NewNode {
  if (node.kind === 'alias') return contentOf(node.target);
  if (node.kind === 'scalar') return node;
  return open(node) ?? newNode(patchedValue(node));
}

/** The entries of a collection in the order in which they are written: those of a map that are new come last. */
export function patchedEntries(collection: PatchedCollection): PatchedEntry[] {
  if (collection.kind === 'patched-seq') return collection.items;
  const { source, entries } = collection;
  const own: readonly YamlEntry[] = source?.entries ?? [];
  const hasMerges = own.some(({ name }) => name === undefined);
  const effective = source && hasMerges ? [...effectiveEntries(source)] : [];
  const merged = effective.filter(([, entry]) => own[entry.index] !== entry);
  // A merged key cannot be removed without removing the merge.
  const keepsMerges = merged.every(([name]) => entries.has(name));
  const added = new Map(entries);
  if (keepsMerges) for (const [name, { node }] of merged) if (entries.get(name) === node) added.delete(name);
  const old = own.flatMap((entry): PatchedEntry[] => {
    const { name } = entry;
    if (name === undefined) return keepsMerges ? [{ old: entry, name, node: entry.node }] : [];
    added.delete(name);
    const node = entries.get(name);
    return node === undefined ? [] : [{ old: entry, name, node }];
  });
  return [...old, ...[...added].map(([name, node]) => ({ old: undefined, name, node }))];
}

function applyOperation(holder: PatchedMap, moved: Map<YamlNode, Location>, operation: Operation): void {
  const find = (path: string): Location => locate(holder, path) ?? notFound(operation);
  if (operation.op === 'add' || operation.op === 'replace') {
    put(find(operation.path), operation, { old: undefined, node: newNode(operation.value) });
    return;
  }
  const path = operation.op === 'move' ? operation.from : operation.path;
  const from = find(path);
  const entry = (path === '' ? undefined : take(from)) ?? notFound(operation);
  if (operation.op === 'remove') return;
  const source = sourceOf(entry.node);
  if (source !== undefined && !moved.has(source)) moved.set(source, from);
  put(find(operation.path), operation, entry);
}

/** Opens the collections on a path, down to the parent of its last segment. */
function locate(holder: PatchedMap, path: string): Location | undefined {
  let location: Location = { parent: holder, segment: '' };
  for (const segment of parsePointer(path)) {
    const child = childOf(location);
    const parent = child && open(child);
    if (parent === undefined) return undefined;
    replace(location, parent);
    location = { parent, segment };
  }
  return location;
}

function put(location: Location, operation: Operation, { old, node }: PatchedEntry): void {
  const { parent, segment } = location;
  const exists = childOf(location) !== undefined;
  if (operation.op === 'replace' && !exists) notFound(operation);
  if (parent.kind === 'patched-map' || operation.op === 'replace') {
    replace(location, node);
    return;
  }
  const { items, source } = parent;
  const isEnd = segment === '-' || segment === String(items.length);
  if (!exists && !isEnd) notFound(operation);
  const isOwn = old !== undefined && source?.entries[old.index] === old;
  items.splice(isEnd ? items.length : Number(segment), 0, { old: isOwn ? old : undefined, node });
}

function take(location: Location): PatchedEntry | undefined {
  const { parent, segment } = location;
  const node = childOf(location);
  if (node === undefined) return undefined;
  if (parent.kind === 'patched-seq') return parent.items.splice(Number(segment), 1)[0];
  parent.entries.delete(segment);
  return { old: undefined, node };
}

function childOf({ parent, segment }: Location): PatchedNode | undefined {
  if (parent.kind === 'patched-map') return parent.entries.get(segment);
  return /^(0|[1-9][0-9]*)$/.test(segment) ? parent.items[Number(segment)]?.node : undefined;
}

function replace({ parent, segment }: Location, node: PatchedNode): void {
  if (parent.kind === 'patched-map') parent.entries.set(segment, node);
  else parent.items[Number(segment)] = { old: parent.items[Number(segment)]?.old, node };
}

function notFound(operation: Operation): never {
  const path = operation.op === 'move' ? `${operation.from}" to "${operation.path}` : operation.path;
  throw new PodgraftError('PATCH_INVALID', `Cannot ${operation.op} "${path}": path not found`);
}

/** A node as a collection of its children; undefined for a scalar. */
function open(node: PatchedNode): PatchedCollection | undefined {
  switch (node.kind) {
    case 'map': {
      const entries = new Map<string, PatchedNode>();
      for (const [name, entry] of effectiveEntries(node)) entries.set(name, entry.node);
      return { kind: 'patched-map', source: node, entries };
    }
    case 'seq': {
      const items = node.entries.map((old) => ({ old, node: old.node }));
      return { kind: 'patched-seq', source: node, items };
    }
    case 'alias': {
      const target = open(node.target);
      // A copy, since the anchored node itself does not change.
      return target && { ...target, source: undefined };
    }
    case 'new':
      return openValue(node.value);
    case 'scalar':
      return undefined;
    default:
      return node;
  }
}

function openValue(value: Json): PatchedCollection | undefined {
  if (isJsonArray(value)) {
    const items = value.map((child) => ({ old: undefined, node: newNode(child) }));
    return { kind: 'patched-seq', source: undefined, items };
  }
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, child]) => [name, newNode(child)] as const);
  return { kind: 'patched-map', source: undefined, entries: new Map(entries) };
}

function newNode(value: Json): NewNode {
  return { kind: 'new', value };
}
