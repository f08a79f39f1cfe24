import {
  annotationsOf,
  asJson,
  type DeepReadonly,
  isJsonObject,
  type JsonObject,
  type KubeObject,
  type Pod,
  withoutMember,
} from '../../../sdk/index.ts';
import { previousInjection } from '../merge/previous-injection.ts';
import { INIT, PROXY, VALIDATION } from '../names.ts';
import { asObject, containersOf, mapContainers, named } from '../pod-json.ts';

export interface ProxyIds {
  readonly uid: number;
  readonly gid: number;
  readonly warnings: readonly string[];
}

export const DEFAULT_IDS: ProxyIds = { uid: 1337, gid: 1337, warnings: [] };
const UID_RANGE = 'openshift.io/sa.scc.uid-range';
const GROUPS = 'openshift.io/sa.scc.supplemental-groups';

/** The proxy's ids on OpenShift: the last of the namespace's ranges, which applications are unlikely to use. */
export function openshiftIds(namespace: KubeObject | undefined): ProxyIds {
  const annotations = namespace === undefined ? {} : annotationsOf(namespace);
  const users = annotations[UID_RANGE] ?? '';
  const groups = (annotations[GROUPS] ?? users).split(',').map(lastOf);
  const uid = lastOf(users);
  const gid = groups.includes(undefined) ? undefined : groups[0];
  return {
    uid: uid ?? DEFAULT_IDS.uid,
    gid: gid ?? DEFAULT_IDS.gid,
    warnings: [
      ...(uid === undefined ? [rangeWarning(UID_RANGE, `user ${DEFAULT_IDS.uid}`)] : []),
      ...(gid === undefined ? [rangeWarning(GROUPS, `group ${DEFAULT_IDS.gid}`)] : []),
    ],
  };
}

/** The end of `start/size` or `start-end`. */
function lastOf(range: string): number | undefined {
  const match = /^\s*(\d+)([/-])(\d+)\s*$/.exec(range);
  if (match === null) return undefined;
  const [start, second] = [Number(match[1]), Number(match[3])];
  return match[2] === '-' ? second : start + second - 1;
}

function rangeWarning(annotation: string, id: string): string {
  return `annotation "${annotation}" of the namespace is missing or invalid: the proxy runs as ${id}`;
}

/**
 * Removes the ids of the user's proxy if OpenShift has given it the application's user: the proxy's own traffic would be redirected to
 * the proxy. A proxy that was injected before keeps its ids: they are no longer those that OpenShift has given.
 */
export function withoutSharedIds(found: DeepReadonly<Pod>): DeepReadonly<Pod> {
  const pod = asJson(found);
  const userOf = (container: JsonObject) => {
    const { runAsUser } = asObject(container.securityContext);
    return typeof runAsUser === 'number' ? runAsUser : undefined;
  };
  // Istio compares the last user that is set, and treats an unset one as 0.
  const last = (list: readonly JsonObject[]) => list.map(userOf).findLast((user) => user !== undefined) ?? 0;
  const containers = [...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')];
  const applications = containers.filter(({ name }) => ![PROXY, INIT, VALIDATION].includes(String(name)));
  if (last(containers.filter(({ name }) => name === PROXY)) !== last(applications)) return found;
  const { status } = previousInjection(pod);
  if (status?.containers.has(PROXY) || status?.initContainers.has(PROXY)) return found;
  const proxy = named(containers, PROXY);
  const next = mapContainers(pod, (container) => {
    if (container !== proxy || !isJsonObject(container.securityContext)) return container;
    const context = asObject(container.securityContext);
    return {
      ...container,
      securityContext: withoutMember(withoutMember(context, 'runAsUser'), 'runAsGroup'),
    };
  });
  return next as unknown as DeepReadonly<Pod>;
}
