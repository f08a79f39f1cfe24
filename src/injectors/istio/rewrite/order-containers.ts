import type { JsonObject } from '../../../sdk/index.ts';
import { CORE_DUMP, INIT, PROXY, VALIDATION } from '../names.ts';
import { containersOf, named, withContainers } from '../pod-json.ts';

/**
 * Moves Istio's containers to their places; all others keep their order. A native proxy starts before other init containers,
 * which then use the mesh. Otherwise traffic is redirected after them, since the proxy does not run yet.
 */
export function orderContainers(pod: JsonObject, { isHeld }: { readonly isHeld: boolean }): JsonObject {
  const initContainers = containersOf(pod, 'initContainers');
  const ordered = named(initContainers, PROXY)
    ? arranged(initContainers, [INIT, VALIDATION, PROXY, CORE_DUMP], [])
    : arranged(initContainers, [VALIDATION], [INIT, CORE_DUMP]);
  const containers = containersOf(pod, 'containers');
  return withContainers(
    withContainers(pod, 'initContainers', ordered),
    'containers',
    isHeld ? arranged(containers, [PROXY], []) : arranged(containers, [], [PROXY]),
  );
}

function arranged(
  list: readonly JsonObject[],
  first: readonly string[],
  last: readonly string[],
): readonly JsonObject[] {
  const rankOf = ({ name }: JsonObject) => {
    const place = first.indexOf(String(name));
    return place >= 0 ? place : first.length + 1 + last.indexOf(String(name));
  };
  const isOrdered = list.every((each, at) => at === 0 || rankOf(list[at - 1] as JsonObject) <= rankOf(each));
  return isOrdered ? list : list.toSorted((one, other) => rankOf(one) - rankOf(other));
}
