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
import { prometheusKeys, prometheusValue } from '../rewrite/merge-prometheus.ts';
import type { ContainerNames, Overrides, PreviousInjection } from './previous-injection.ts';

const FIELDS = ['containers', 'initContainers'] as const;

/** The Pod as it was before an earlier injection, for templates: without what that added, with the user's own containers. */
export function podBeforeInjection(
  pod: JsonObject,
  previous: PreviousInjection,
  statusPort: string,
): JsonObject {
  if (previous.status === undefined) return pod;
  let next = withMetadata(pod, 'annotations', { [STATUS]: undefined });
  const annotations = metadataOf(next, 'annotations');
  if (prometheusValue(annotations, 'port') === statusPort) {
    const keys = prometheusKeys(annotations);
    next = withMetadata(next, 'annotations', Object.fromEntries(keys.map((key) => [key, undefined])));
  }
  for (const field of FIELDS) next = withContainers(next, field, containersBefore(pod, field, previous));
  return next;
}

/** What `podBeforeInjection` needs to know of a Pod in addition to the other records; undefined if those suffice. */
export function namesBefore(
  original: JsonObject,
  injected: JsonObject,
  records: Omit<PreviousInjection, 'before'>,
): ContainerNames | undefined {
  const isKnown = FIELDS.every((field) => {
    const before = containersOf(original, field);
    const found = containersBefore(injected, field, records);
    return found.length === before.length && found.every(({ name }, index) => name === before[index]?.name);
  });
  if (isKnown) return undefined;
  const names = (field: ContainerField) => containersOf(original, field).map(({ name }) => String(name));
  return { containers: names('containers'), initContainers: names('initContainers') };
}

function containersBefore(
  pod: JsonObject,
  field: ContainerField,
  { status, overrides, before }: PreviousInjection,
): readonly JsonObject[] {
  const own = byName(
    before === undefined ? recordedIn(field, overrides) : FIELDS.flatMap((each) => overrides[each]),
  );
  const isOther = (name: unknown) => before !== undefined && !before[field].includes(String(name));
  // In the present order, by which templates may list containers.
  const present = containersOf(pod, field).flatMap((each): readonly JsonObject[] => {
    if (!status?.[field].has(String(each.name))) return [each];
    const found = isOther(each.name) ? undefined : own.get(each.name);
    return found === undefined ? [] : [found];
  });
  const names = new Set(present.map(({ name }) => name));
  if (before === undefined) return [...present, ...[...own.values()].filter(({ name }) => !names.has(name))];
  const presentByName = byName(present);
  const listed = before[field].flatMap((name): readonly JsonObject[] => {
    const found = presentByName.get(name) ?? own.get(name);
    return found === undefined ? [] : [found];
  });
  return [...listed, ...present.filter(({ name }) => isOther(name))];
}

/** Only native sidecars have this restartPolicy: without it, the user wrote the proxy among the containers. */
function recordedIn(field: ContainerField, overrides: Overrides): readonly JsonObject[] {
  const isMoved = ({ name, restartPolicy }: JsonObject) => name === PROXY && restartPolicy !== 'Always';
  if (field === 'initContainers') return overrides.initContainers.filter((each) => !isMoved(each));
  return [...overrides.containers, ...overrides.initContainers.filter(isMoved)];
}
