import type { JsonObject } from '../../../sdk/index.ts';
import { PROXY, STATUS } from '../names.ts';
import { containersOf, metadataOf, withContainers, withMetadata } from '../pod-json.ts';
import { prometheusKeys, prometheusValue } from '../rewrite/merge-prometheus.ts';
import type { PreviousInjection } from './previous-injection.ts';

/** The Pod as it was before an earlier injection, for templates: without what that added, with the user's own containers. */
export function podBeforeInjection(
  pod: JsonObject,
  { status, overrides }: PreviousInjection,
  statusPort: string,
): JsonObject {
  if (status === undefined) return pod;
  let next = withMetadata(pod, 'annotations', { [STATUS]: undefined });
  const annotations = metadataOf(next, 'annotations');
  if (prometheusValue(annotations, 'port') === statusPort) {
    const keys = prometheusKeys(annotations);
    next = withMetadata(next, 'annotations', Object.fromEntries(keys.map((key) => [key, undefined])));
  }
  // Only native sidecars have this restartPolicy: without it, the user wrote the proxy among the containers.
  const moved = overrides.initContainers.filter(
    ({ name, restartPolicy }) => name === PROXY && restartPolicy !== 'Always',
  );
  const own = {
    containers: [...overrides.containers, ...moved],
    initContainers: overrides.initContainers.filter((each) => !moved.includes(each)),
  };
  for (const field of ['containers', 'initContainers'] as const) {
    // In the present order, by which templates may list containers.
    const ownByName = new Map(own[field].map((each) => [each.name, each]));
    const present = containersOf(next, field).flatMap((each): readonly JsonObject[] => {
      if (!status[field].has(String(each.name))) return [each];
      const found = ownByName.get(each.name);
      return found === undefined ? [] : [found];
    });
    const names = new Set(present.map(({ name }) => name));
    const missing = own[field].filter(({ name }) => !names.has(name));
    next = withContainers(next, field, [...present, ...missing]);
  }
  return next;
}
