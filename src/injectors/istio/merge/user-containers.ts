import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  withoutMember,
} from '../../../sdk/index.ts';
import { containerMerge, podMerge } from '../generated/merge-schema.ts';
import { byName, type ContainerField, containersOf } from '../pod-json.ts';
import { goJson } from '../pod-types/go-json.ts';
import type { TemplateNames } from './merge-templates.ts';
import { nextPlace } from './next-place.ts';
import type { Overrides, PreviousInjection } from './previous-injection.ts';
import { type FieldMerge, type MergeSchema, strategicMerge } from './strategic-merge.ts';

export interface Reapplied {
  readonly pod: JsonObject;
  /** The user's settings of containers that the templates define. */
  readonly overrides: Overrides;
}

/**
 * Merges the user's settings over containers that the templates define, too. In a Pod that was injected before, an annotation
 * records which settings are the user's; their present values are kept, since another webhook may have changed them.
 * (istiod loses the user's settings here: istio/istio#55691.)
 */
export function reapplyUserContainers(
  merged: JsonObject,
  original: JsonObject,
  names: TemplateNames,
  previous: PreviousInjection,
): Reapplied {
  const userContainer = userContainers(original, previous);
  const own = (field: ContainerField) =>
    names[field].map((name) => userContainer(name, field)).filter((each) => each !== undefined);
  const [containers, initContainers] = [own('containers'), own('initContainers')];
  if (containers.length === 0 && initContainers.length === 0) return { pod: merged, overrides: NO_OVERRIDES };
  const spec: Record<string, Json> = {};
  if (containers.length > 0) spec.containers = containers.map(({ current }) => current);
  if (initContainers.length > 0) spec.initContainers = initContainers.map(({ current }) => current);
  return {
    pod: strategicMerge(merged, { spec }, podMerge),
    overrides: {
      containers: containers.map(({ recorded }) => recorded),
      initContainers: initContainers.map(({ recorded }) => recorded),
    },
  };
}

const NO_OVERRIDES: Overrides = { containers: [], initContainers: [] };

interface UserContainer {
  /** As the user wrote it. */
  readonly recorded: JsonObject;
  /** With the present values of the same settings. */
  readonly current: JsonObject;
}

/** Finds containers by name in constant time: a template may define every container of the Pod. */
function userContainers(
  original: JsonObject,
  { status, overrides }: PreviousInjection,
): (name: string, field: ContainerField) => UserContainer | undefined {
  const containers = byName(containersOf(original, 'containers'));
  const initContainers = byName(containersOf(original, 'initContainers'));
  const records = {
    containers: byName(overrides.containers),
    initContainers: byName(overrides.initContainers),
  };
  return (name, field) => {
    const injected = status?.[field].has(name) && field === 'initContainers';
    const found =
      // An earlier call has put it there, even if the Pod has another one of that name among its containers.
      (injected ? initContainers.get(name) : undefined) ??
      containers.get(name) ??
      (field === 'initContainers' ? initContainers.get(name) : undefined);
    const recorded = records[field].get(name);
    if (recorded !== undefined) {
      const isCurrent = found === undefined || status === undefined;
      const current = isCurrent
        ? recorded
        : withoutSharedPorts(currentValues(found, recorded, containerMerge));
      return { recorded, current };
    }
    if (found === undefined || status?.[field].has(name)) return undefined;
    const own = settingsOf(found.image === 'auto' ? withoutMember(found, 'image') : found);
    return { recorded: own, current: withoutSharedPorts(own) };
  };
}

/** As Go marshals it, so that empty settings do not replace the template's. */
function settingsOf(container: JsonObject): JsonObject {
  const settings = goJson(container, 'Container');
  return isJsonObject(settings.resources) && Object.keys(settings.resources).length === 0
    ? withoutMember(settings, 'resources')
    : settings;
}

/**
 * Kubernetes merges ports by number alone, so a merge would make one port of TCP and UDP on the same number. Such ports are in
 * the Pod already and need no merge.
 */
function withoutSharedPorts(container: JsonObject): JsonObject {
  const ports = isJsonArray(container.ports) ? container.ports.filter(isJsonObject) : [];
  const counts = new Map<Json | undefined, number>();
  for (const { containerPort } of ports) counts.set(containerPort, (counts.get(containerPort) ?? 0) + 1);
  const single = ports.filter(({ containerPort }) => counts.get(containerPort) === 1);
  return single.length === ports.length ? container : { ...container, ports: single };
}

/** The values in `found` of all settings in `recorded`; `found` itself if it has no others. */
function currentValues(found: JsonObject, recorded: JsonObject, schema: MergeSchema): JsonObject {
  const result: Record<string, Json> = {};
  let isSame = true;
  for (const key in recorded) {
    const value = member(found, key) ?? null;
    if (value === null) continue;
    result[key] = currentValue(value, recorded[key] as Json, schema[key]);
    isSame &&= result[key] === value;
  }
  for (const key in found) isSame &&= Object.hasOwn(result, key);
  return isSame ? found : result;
}

function currentValue(found: Json, recorded: Json, { key, item = {} }: FieldMerge = {}): Json {
  if (isJsonObject(found) && isJsonObject(recorded)) return currentValues(found, recorded, item);
  if (isJsonArray(found) && isJsonArray(recorded) && key !== undefined)
    return currentItems(found, recorded, key, item);
  return found;
}

/** Items that share a key correspond in turn: each has its own value. */
function currentItems(
  found: readonly Json[],
  recorded: readonly Json[],
  key: string,
  schema: MergeSchema,
): readonly Json[] {
  const placeOf = nextPlace(found, (item) => (isJsonObject(item) ? item[key] : undefined));
  const current: Json[] = [];
  for (const own of recorded) {
    const place = isJsonObject(own) ? placeOf(own[key]) : undefined;
    const item = place === undefined ? undefined : found[place];
    if (isJsonObject(item)) current.push(currentValues(item, own as JsonObject, schema));
  }
  return current;
}
