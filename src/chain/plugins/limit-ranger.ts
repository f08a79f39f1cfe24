import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { compareQuantities, isQuantity } from '../../kube/quantity.ts';
import { metadataOf } from '../../policy/cluster-objects.ts';
import { forbidden } from '../../policy/status.ts';
import { isPodCreation, type Plugin } from './plugin.ts';

/** Fills in the requests and limits that the namespace's LimitRanges define for containers, and enforces their bounds. */
export const limitRanger: Plugin = {
  name: 'LimitRanger',
  handles: isPodCreation,
  mutate(request, { cluster }) {
    let { object } = request;
    for (const range of cluster.list('', 'LimitRange', request.namespace)) {
      for (const item of containerItems(range)) object = withAmounts(object, item);
    }
    return object;
  },
  validate(request, { cluster }) {
    const spec = request.object?.spec;
    if (!isJsonObject(spec)) return undefined;
    const containers = ['containers', 'initContainers'].flatMap((list) => objects(spec[list]));
    for (const range of cluster.list('', 'LimitRange', request.namespace)) {
      for (const item of containerItems(range)) {
        const problem = containers.flatMap((container) => boundProblems(container, item));
        if (problem.length > 0) {
          return forbidden(
            request,
            problem.length === 1 ? (problem[0] as string) : `[${problem.join(', ')}]`,
          );
        }
      }
    }
    return undefined;
  },
};

interface Item {
  readonly limits: JsonObject;
  readonly requests: JsonObject;
  readonly max: JsonObject;
  readonly min: JsonObject;
}

/** With the API's own defaults: a default limit is the maximum, a default request the default limit, else the minimum. */
function containerItems({ spec }: JsonObject): Item[] {
  const limits = isJsonObject(spec) ? objects(spec.limits) : [];
  return limits
    .filter(({ type }) => type === 'Container')
    .map((item) => {
      const max = members(item.max);
      const min = members(item.min);
      const defaults = { ...max, ...members(item.default) };
      return {
        max,
        min,
        limits: defaults,
        requests: { ...min, ...defaults, ...members(item.defaultRequest) },
      };
    });
}

function withAmounts(object: JsonObject, item: Item): JsonObject {
  const spec = isJsonObject(object.spec) ? object.spec : {};
  const notes: string[] = [];
  let next = spec;
  for (const [list, what] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const) {
    const containers = objects(spec[list]);
    const changed = containers.map((container) => withContainerAmounts(container, item, what, notes));
    if (changed.some((container, index) => container !== containers[index]))
      next = { ...next, [list]: changed };
  }
  if (notes.length === 0) return object;
  const metadata = metadataOf(object);
  const annotations = {
    ...members(metadata.annotations),
    'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${notes.join('; ')}`,
  };
  return { ...object, metadata: { ...metadata, annotations }, spec: next };
}

function withContainerAmounts(container: JsonObject, item: Item, what: string, notes: string[]): JsonObject {
  const resources = members(container.resources);
  const limits = missing(members(resources.limits), item.limits);
  const requests = missing(members(resources.requests), item.requests);
  const note = (amounts: JsonObject, kind: string) => {
    const names = Object.keys(amounts).toSorted();
    if (names.length > 0) notes.push(`${names.join(', ')} ${kind} for ${what} ${String(container.name)}`);
  };
  note(requests, 'request');
  note(limits, 'limit');
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return container;
  return {
    ...container,
    resources: {
      ...resources,
      ...(hasMembers(limits, resources.limits) && { limits: { ...members(resources.limits), ...limits } }),
      ...(hasMembers(requests, resources.requests) && {
        requests: { ...members(resources.requests), ...requests },
      }),
    },
  };
}

function missing(found: JsonObject, wanted: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !Object.hasOwn(found, name)));
}

function hasMembers(added: JsonObject, found: Json | undefined): boolean {
  return Object.keys(added).length + Object.keys(members(found)).length > 0;
}

function boundProblems(container: JsonObject, { max, min }: Item): string[] {
  const { limits, requests } = members(container.resources);
  const over = Object.keys(max).flatMap((name) => {
    const amount = members(limits)[name];
    if (amount === undefined)
      return [`maximum ${name} usage per Container is ${String(max[name])}.  No limit is specified`];
    return compare(amount, max[name]) > 0
      ? [`maximum ${name} usage per Container is ${String(max[name])}, but limit is ${String(amount)}`]
      : [];
  });
  const under = Object.keys(min).flatMap((name) => {
    const amount = members(requests)[name];
    if (amount === undefined)
      return [`minimum ${name} usage per Container is ${String(min[name])}.  No request is specified`];
    return compare(amount, min[name]) < 0
      ? [`minimum ${name} usage per Container is ${String(min[name])}, but request is ${String(amount)}`]
      : [];
  });
  return [...under, ...over];
}

function compare(one: Json, other: Json | undefined): number {
  return isQuantity(String(one)) && isQuantity(String(other))
    ? compareQuantities(String(one), String(other))
    : 0;
}

function members(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objects(list: Json | undefined): readonly JsonObject[] {
  return (isJsonArray(list) ? list : []).filter(isJsonObject);
}
