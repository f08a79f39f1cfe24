import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, withoutMember } from '../../json/member.ts';
import { containerMergeSchema, podMergeSchema } from '../../kube/pod-merge-schema.ts';
import { type MergeSchema, strategicMerge } from '../../kube/strategic-merge.ts';
import { goJson } from './go-type.ts';
import type { Memory, Overrides } from './memory.ts';
import { PROXY } from './names.ts';
import { type ContainerField, containersOf, named } from './pod-json.ts';
import { container as containerType } from './pod-types.ts';

export interface Reapplied {
  readonly pod: JsonObject;
  /** The user's containers among those that the templates name. */
  readonly overrides: Overrides;
}

/**
 * Where the user wrote containers that the templates name, too, the user's word goes on top. On a Pod that was injected
 * before, the annotation tells what the user's word was; what is found at those places now is what stays, since another
 * webhook may have had its reasons. (Istio itself forgets the user's word here: istio/istio#55691.)
 */
export function reapplyUserContainers(
  merged: JsonObject,
  original: JsonObject,
  template: JsonObject,
  memory: Memory,
): Reapplied {
  let pod = merged;
  const overrides = { containers: [] as JsonObject[], initContainers: [] as JsonObject[] };
  for (const field of ['containers', 'initContainers'] as const) {
    for (const { name } of containersOf(template, field)) {
      const own = userContainer(String(name), field, original, memory);
      if (own === undefined) continue;
      overrides[field].push(own.said);
      pod = strategicMerge(pod, { spec: { [field]: [own.holds] } }, podMergeSchema);
    }
  }
  return { pod, overrides };
}

interface UserContainer {
  /** What the user wrote. */
  readonly said: JsonObject;
  /** What holds at those places. */
  readonly holds: JsonObject;
}

function userContainer(
  name: string,
  field: ContainerField,
  original: JsonObject,
  { status, overrides }: Memory,
): UserContainer | undefined {
  const found =
    named(containersOf(original, 'containers'), name) ??
    (field === 'initContainers' ? named(containersOf(original, field), name) : undefined);
  const remembered = named(overrides[field], name);
  if (remembered !== undefined) {
    return {
      said: remembered,
      holds:
        found === undefined ? remembered : withoutTwins(foundWhere(found, remembered, containerMergeSchema)),
    };
  }
  if (found === undefined || status?.[field].has(name)) return undefined;
  const said = wordOf(found.image === 'auto' ? withoutMember(found, 'image') : found);
  return { said, holds: withoutTwins(said) };
}

/**
 * Kubernetes merges ports by their number: one for TCP and one for UDP on the same number would both become the latter. They
 * came with the Pod, so nothing needs to be said of them.
 */
function withoutTwins(container: JsonObject): JsonObject {
  const ports = isJsonArray(container.ports) ? container.ports.filter(isJsonObject) : [];
  const numbers = ports.map(({ containerPort }) => containerPort);
  const single = ports.filter(
    ({ containerPort }) => numbers.indexOf(containerPort) === numbers.lastIndexOf(containerPort),
  );
  return single.length === ports.length ? container : { ...container, ports: single };
}

/** As Go's types write it: what is empty says nothing, and leaves the template's word. */
function wordOf(container: JsonObject): JsonObject {
  const word = goJson(container, containerType);
  return isJsonObject(word.resources) && Object.keys(word.resources).length === 0
    ? withoutMember(word, 'resources')
    : word;
}

/** What is found at the places that the user's word names. */
function foundWhere(found: JsonObject, said: JsonObject, schema: MergeSchema): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(said)) {
    const [value, word] = [member(found, key), said[key] as Json];
    if (value === undefined || value === null) continue;
    const merge = schema[key];
    if (isJsonObject(value) && isJsonObject(word)) result[key] = foundWhere(value, word, merge?.item ?? {});
    else if (isJsonArray(value) && isJsonArray(word) && merge?.key !== undefined) {
      result[key] = itemsWhere(value, word, merge.key, merge.item ?? {});
    } else result[key] = value;
  }
  return result;
}

function itemsWhere(found: readonly Json[], said: readonly Json[], key: string, schema: MergeSchema): Json {
  return said.flatMap((word) => {
    const item = found.find((each) => isJsonObject(each) && isJsonObject(word) && each[key] === word[key]);
    return isJsonObject(item) && isJsonObject(word) ? [foundWhere(item, word, schema)] : [];
  });
}

/** The user's proxy, wherever the templates put it. */
export function userProxy({ containers, initContainers }: Overrides): JsonObject | undefined {
  return named(containers, PROXY) ?? named(initContainers, PROXY);
}
