import type { JsonObject } from '../../json/json.ts';
import { CORE_DUMP, INIT, PROXY, VALIDATION } from './names.ts';
import { containersOf, named, withContainers } from './pod-json.ts';

/**
 * Puts Istio's containers where they have to be; all others keep their order. Where the proxy is an init container, the
 * others start within the mesh; else the traffic of init containers would be sent to a proxy that is not there yet.
 */
export function orderContainers(pod: JsonObject, { hold }: { readonly hold: boolean }): JsonObject {
  const containers = containersOf(pod, 'containers');
  const initContainers = containersOf(pod, 'initContainers');
  const [first, last] = named(initContainers, PROXY)
    ? [[INIT, VALIDATION, PROXY, CORE_DUMP], []]
    : [[VALIDATION], [INIT, CORE_DUMP]];
  const ordered = withContainers(pod, 'initContainers', arranged(initContainers, first, last));
  return withContainers(
    ordered,
    'containers',
    hold ? arranged(containers, [PROXY], []) : arranged(containers, [], [PROXY]),
  );
}

function arranged(
  list: readonly JsonObject[],
  first: readonly string[],
  last: readonly string[],
): readonly JsonObject[] {
  const pick = (names: readonly string[]) =>
    names.flatMap((name) => list.filter((each) => each.name === name));
  const rest = list.filter(({ name }) => ![...first, ...last].includes(String(name)));
  return [...pick(first), ...rest, ...pick(last)];
}
