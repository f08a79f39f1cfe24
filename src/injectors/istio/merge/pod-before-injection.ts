import type { JsonObject } from '../../../sdk/index.ts';
import { PROXY, STATUS } from '../names.ts';
import {
  byName,
  type ContainerField,
  containersOf,
  metadataOf,
  withContainers,
  withMetadata,
} from '../pod-json.ts';
import { prometheusAnnotations } from '../rewrite/merge-prometheus.ts';
import type { ContainerNames, Overrides, PreviousInjection } from './previous-injection.ts';

const FIELDS = ['containers', 'initContainers'] as const;

/** The Pod as it was before an earlier injection, for templates: without its additions, with the user's own containers. */
export function podBeforeInjection(
  pod: JsonObject,
  previous: PreviousInjection,
  statusPort: string,
): JsonObject {
  if (previous.status === undefined) return withMissing(pod, previous.overrides);
  const { keys, values } = prometheusAnnotations(metadataOf(pod, 'annotations'));
  const without: Record<string, undefined> = { [STATUS]: undefined };
  if (values.port === statusPort) for (const key of keys) without[key] = undefined;
  let next = withMetadata(pod, 'annotations', without);
  for (const field of FIELDS) next = withContainers(next, field, containersBefore(pod, field, previous));
  return next;
}

/** A record without a status: someone else removed the status, or wrote the record. */
function withMissing(pod: JsonObject, overrides: Overrides): JsonObject {
  return FIELDS.reduce((next, field) => {
    if (overrides[field].length === 0) return next;
    const present = containersOf(next, field);
    const names = new Set(present.map(({ name }) => name));
    return withContainers(next, field, [
      ...present,
      ...overrides[field].filter(({ name }) => !names.has(name)),
    ]);
  }, pod);
}

/** The Pod with the containers that the next call will show to templates; undefined if they are the same. */
export function podAtNextCall(
  original: JsonObject,
  injected: JsonObject,
  records: PreviousInjection,
): JsonObject | undefined {
  const lists = FIELDS.map((field) => [field, containersBefore(injected, field, records)] as const);
  const isSame = lists.every(([field, found]) => {
    const before = containersOf(original, field);
    return found.length === before.length && found.every(({ name }, index) => name === before[index]?.name);
  });
  return isSame
    ? undefined
    : lists.reduce((pod, [field, list]) => withContainers(pod, field, list), original);
}

export function containerNames(pod: JsonObject): ContainerNames {
  const names = (field: ContainerField) => containersOf(pod, field).map(({ name }) => String(name));
  return { containers: names('containers'), initContainers: names('initContainers') };
}

function containersBefore(
  pod: JsonObject,
  field: ContainerField,
  { status, overrides, before }: PreviousInjection,
): readonly JsonObject[] {
  const containers = containersOf(pod, field);
  const hasRecords = before !== undefined || FIELDS.some((each) => overrides[each].length > 0);
  if (!hasRecords) return containers.filter(({ name }) => !status?.[field].has(String(name)));
  const own = byName(
    before === undefined ? recordedIn(field, overrides) : FIELDS.flatMap((each) => overrides[each]),
  );
  const namesBefore = new Set(before?.[field]);
  const isOther = (name: unknown) => before !== undefined && !namesBefore.has(String(name));
  // In the present order, by which templates may list containers.
  const present = containers.flatMap((each): readonly JsonObject[] => {
    if (!status?.[field].has(String(each.name))) return [each];
    const found = isOther(each.name) ? undefined : own.get(each.name);
    return found === undefined ? [] : [found];
  });
  const names = new Set(present.map(({ name }) => name));
  if (before === undefined) {
    // One that is in neither list was removed by another injector, and must not come back.
    const left = new Set(FIELDS.flatMap((each) => containersOf(pod, each).map(({ name }) => name)));
    return [...present, ...[...own.values()].filter(({ name }) => !names.has(name) && left.has(name))];
  }
  const presentByName = byName(present);
  const listed: JsonObject[] = [];
  for (const name of before[field]) {
    const found = presentByName.get(name) ?? own.get(name);
    if (found !== undefined) listed.push(found);
  }
  return [...listed, ...present.filter(({ name }) => isOther(name))];
}

/** Only native sidecars have this restartPolicy: without it, the user wrote the proxy among the containers. */
function recordedIn(field: ContainerField, overrides: Overrides): readonly JsonObject[] {
  const isMoved = ({ name, restartPolicy }: JsonObject) => name === PROXY && restartPolicy !== 'Always';
  if (field === 'initContainers') return overrides.initContainers.filter((each) => !isMoved(each));
  return [...overrides.containers, ...overrides.initContainers.filter(isMoved)];
}
