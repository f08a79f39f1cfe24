import {
  copyOf,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  setMember,
  withMember,
  withoutMember,
} from '../../sdk/index.ts';

/** Reads and replaces parts of a Pod as plain JSON. Unchanged parts are shared, up to the Pod itself. */
export type ContainerField = 'containers' | 'initContainers';

/** The value if it is an object, else an empty one. */
export function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : EMPTY;
}

const EMPTY: JsonObject = Object.freeze({});

export function containersOf(pod: JsonObject, field: ContainerField): readonly JsonObject[] {
  const list = member(asObject(pod.spec), field);
  return isJsonArray(list) ? (list as readonly JsonObject[]) : NONE;
}

const NONE: readonly JsonObject[] = Object.freeze([]);

export function named(list: readonly JsonObject[], name: string): JsonObject | undefined {
  return list.find((item) => item.name === name);
}

/** The first item of each name, for lookups in a loop. */
export function byName(list: readonly JsonObject[]): ReadonlyMap<Json | undefined, JsonObject> {
  const items = new Map<Json | undefined, JsonObject>();
  for (const item of list) if (!items.has(item.name)) items.set(item.name, item);
  return items;
}

export function withContainers(
  pod: JsonObject,
  field: ContainerField,
  list: readonly JsonObject[],
): JsonObject {
  if (isSameList(list, containersOf(pod, field))) return pod;
  const spec = asObject(pod.spec);
  const isRemoved = list.length === 0 && field === 'initContainers';
  return withMember(pod, 'spec', isRemoved ? withoutMember(spec, field) : withMember(spec, field, list));
}

export function isSameList(list: readonly Json[], other: readonly Json[]): boolean {
  return list.length === other.length && startsWithItems(list, other);
}

export function startsWithItems(list: readonly Json[], items: readonly Json[]): boolean {
  for (let index = 0; index < items.length; index++) if (list[index] !== items[index]) return false;
  return true;
}

/** Changes containers one by one, init containers first. */
export function mapContainers(
  pod: JsonObject,
  change: (container: JsonObject, field: ContainerField) => JsonObject,
): JsonObject {
  let next = pod;
  for (const field of ['initContainers', 'containers'] as const) {
    const list = containersOf(next, field);
    let changed: JsonObject[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const container = list[index] as JsonObject;
      const result = change(container, field);
      if (result === container) continue;
      changed ??= [...list];
      changed[index] = result;
    }
    if (changed !== undefined) next = withContainers(next, field, changed);
  }
  return next;
}

type MetadataField = 'annotations' | 'labels';

export function metadataOf(pod: JsonObject, field: MetadataField): Readonly<Record<string, string>> {
  return asObject(member(asObject(pod.metadata), field)) as Readonly<Record<string, string>>;
}

/** Sets annotations or labels; undefined removes one. */
export function withMetadata(
  pod: JsonObject,
  field: MetadataField,
  changes: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const found: JsonObject = metadataOf(pod, field);
  const removed = new Set<string>();
  let isSame = true;
  for (const key in changes) {
    const value = changes[key];
    if (value === member(found, key)) continue;
    isSame = false;
    if (value === undefined) removed.add(key);
  }
  if (isSame) return pod;
  const next: Record<string, Json> = removed.size === 0 ? copyOf(found) : withoutMembers(found, removed);
  for (const key in changes) {
    const value = changes[key];
    if (value !== undefined) setMember(next, key, value);
  }
  return withMember(pod, 'metadata', withMember(asObject(pod.metadata), field, next));
}

/** A copy: deleting members of one would make every later use of it slow. */
function withoutMembers(object: JsonObject, keys: ReadonlySet<string>): Record<string, Json> {
  const next: Record<string, Json> = {};
  for (const key in object) if (!keys.has(key)) setMember(next, key, object[key] as Json);
  return next;
}

export function envOf(container: JsonObject): readonly JsonObject[] {
  return isJsonArray(container.env) ? (container.env as readonly JsonObject[]) : [];
}

/** Go's strconv.ParseBool; undefined if the text is invalid. */
export function parseBool(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : BOOLS.get(text);
}

const BOOLS = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);
