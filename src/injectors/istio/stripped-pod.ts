import type { JsonObject } from '../../json/json.ts';
import type { Memory } from './memory.ts';
import { PROXY, STATUS } from './names.ts';
import { containersOf, textsOf, withContainers, withTexts } from './pod-json.ts';
import { PROMETHEUS, spelled } from './prometheus.ts';

/**
 * The Pod as it was before an earlier injection, for templates to look at: what that added is gone, what of it was the
 * user's is back.
 */
export function strippedPod(pod: JsonObject, { status, overrides }: Memory, statusPort: string): JsonObject {
  if (status === undefined) return pod;
  let next = withTexts(pod, 'annotations', { [STATUS]: undefined });
  const annotations = textsOf(next, 'annotations');
  if (annotations[spelled(annotations, PROMETHEUS.port) ?? ''] === statusPort) {
    const keys = Object.values(PROMETHEUS).map((name) => spelled(annotations, name) ?? '');
    next = withTexts(next, 'annotations', Object.fromEntries(keys.map((key) => [key, undefined])));
  }
  // A user's proxy that the templates made native stood among the containers: an init container restarts always.
  const moved = overrides.initContainers.filter(
    ({ name, restartPolicy }) => name === PROXY && restartPolicy !== 'Always',
  );
  const restored = {
    containers: [...overrides.containers, ...moved],
    initContainers: overrides.initContainers.filter((each) => !moved.includes(each)),
  };
  for (const field of ['containers', 'initContainers'] as const) {
    const own = containersOf(next, field).filter(({ name }) => !status[field].has(String(name)));
    const missing = restored[field].filter(({ name }) => !own.some((each) => each.name === name));
    next = withContainers(next, field, [...own, ...missing]);
  }
  return next;
}
