import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, setMember, withoutMember } from '../../json/member.ts';

/** The lists of a Pod's containers, and its metadata, read and replaced on plain JSON. What does not change is shared. */
export type ContainerField = 'containers' | 'initContainers';

export function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : EMPTY;
}

const EMPTY: JsonObject = Object.freeze({});

export function containersOf(pod: JsonObject, field: ContainerField): readonly JsonObject[] {
  const list = member(object(pod.spec), field);
  return isJsonArray(list) ? (list as readonly JsonObject[]) : [];
}

export function named(list: readonly JsonObject[], name: string): JsonObject | undefined {
  return list.find((item) => item.name === name);
}

export function withContainers(
  pod: JsonObject,
  field: ContainerField,
  list: readonly JsonObject[],
): JsonObject {
  const found = containersOf(pod, field);
  if (list.length === found.length && list.every((item, at) => item === found[at])) return pod;
  const spec = object(pod.spec);
  return {
    ...pod,
    spec:
      list.length === 0 && field === 'initContainers'
        ? withoutMember(spec, field)
        : { ...spec, [field]: list },
  };
}

/** Changes containers one by one, in both lists. */
export function mapContainers(
  pod: JsonObject,
  change: (container: JsonObject, field: ContainerField) => JsonObject,
): JsonObject {
  let next = pod;
  for (const field of ['initContainers', 'containers'] as const) {
    const list = containersOf(next, field);
    next = withContainers(
      next,
      field,
      list.map((container) => change(container, field)),
    );
  }
  return next;
}

export function textsOf(pod: JsonObject, field: 'annotations' | 'labels'): Readonly<Record<string, string>> {
  return object(member(object(pod.metadata), field)) as Readonly<Record<string, string>>;
}

/** Sets annotations or labels; undefined takes one away. */
export function withTexts(
  pod: JsonObject,
  field: 'annotations' | 'labels',
  changes: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const found = textsOf(pod, field) as JsonObject;
  const keys = Object.keys(changes).filter((key) => changes[key] !== member(found, key));
  if (keys.length === 0) return pod;
  const next: Record<string, Json> = { ...found };
  for (const key of keys) {
    const value = changes[key];
    if (value === undefined) delete next[key];
    else setMember(next, key, value);
  }
  return { ...pod, metadata: { ...object(pod.metadata), [field]: next } };
}

export function envOf(container: JsonObject): readonly JsonObject[] {
  return isJsonArray(container.env) ? (container.env as readonly JsonObject[]) : [];
}
