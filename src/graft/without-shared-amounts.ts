import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import { member, withMember, withoutMember } from '../json/member.ts';
import { type Pointer, parsePointer } from '../json/pointer.ts';
import { valueAt } from '../json/value-at.ts';
import type { Pod } from '../kube/generated/types.ts';
import { membersOf } from '../kube/json-parts.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { sharesResource } from '../kube/pod-resources.ts';
import { podTemplatePathOf } from '../kube/workload.ts';
import { isAbsent, isForce } from './directive.ts';

/**
 * An overlay without default amounts for containers of those resources that the object sets for the whole Pod: its author has
 * decided how much the containers get together, and the API server rejects a Pod whose containers request more.
 */
export function withoutSharedAmounts(overlay: JsonObject, object: JsonObject): JsonObject {
  // Nearly all Pods: no pointer is parsed for them.
  if (object.kind === 'Pod' && membersOf(object.spec).resources === undefined) return overlay;
  const path = podSpecPathOf(object);
  const spec = path === undefined ? undefined : valueAt(object, path);
  if (path === undefined || !isJsonObject(membersOf(spec).resources)) return overlay;
  const pod = { spec } as unknown as Pod;
  const isShared = (resource: string) => sharesResource(pod, resource);
  return changedAt(overlay, parsePointer(path), (wanted) => withoutAmounts(wanted, isShared));
}

/** The path of the Pod's spec in a Pod or a workload; undefined for other kinds. */
export function podSpecPathOf(object: JsonObject): Pointer | undefined {
  if (object.kind === 'Pod') return '/spec';
  const path = podTemplatePathOf(object as unknown as KubeObject);
  return path && `${path}/spec`;
}

function changedAt(
  overlay: JsonObject,
  [key, ...rest]: readonly string[],
  change: (part: JsonObject) => JsonObject,
): JsonObject {
  if (key === undefined) return change(overlay);
  const part = member(overlay, key) ?? null;
  if (!isJsonObject(part)) return overlay;
  const changed = changedAt(part, rest, change);
  return changed === part ? overlay : withMember(overlay, key, changed);
}

function withoutAmounts(spec: JsonObject, isShared: (resource: string) => boolean): JsonObject {
  let next = spec;
  for (const key of ['containers', 'initContainers']) {
    const list = next[key];
    if (!isJsonArray(list)) continue;
    const items = list.map((item) => (isJsonObject(item) ? withFewer(item, 'resources', unshared) : item));
    if (items.some((item, index) => item !== list[index])) next = withMember(next, key, items);
  }
  return next;

  function unshared(resources: JsonObject): JsonObject {
    let fewer = resources;
    for (const field of ['requests', 'limits']) fewer = withFewer(fewer, field, amounts);
    return fewer;
  }

  function amounts(wanted: JsonObject): JsonObject {
    const entries = Object.entries(wanted);
    const kept = entries.filter(([name, wish]) => isForce(wish) || isAbsent(wish) || !isShared(name));
    return kept.length === entries.length ? wanted : Object.fromEntries(kept);
  }
}

/** With a smaller map as a member, or without it if nothing is left: the API server drops an empty one. */
function withFewer(object: JsonObject, key: string, smaller: (map: JsonObject) => JsonObject): JsonObject {
  const map = member(object, key) ?? null;
  if (!isJsonObject(map)) return object;
  const next = smaller(map);
  if (next === map) return object;
  return Object.keys(next).length === 0 ? withoutMember(object, key) : withMember(object, key, next);
}
