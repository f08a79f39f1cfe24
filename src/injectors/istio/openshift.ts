import type { JsonObject } from '../../json/json.ts';
import { withoutMember } from '../../json/member.ts';
import { annotationsOf, type KubeObject } from '../../kube/kube-object.ts';
import { PROXY } from './names.ts';
import { mapContainers, object } from './pod-json.ts';

export interface ProxyIds {
  readonly uid: number;
  readonly gid: number;
}

export const DEFAULT_IDS: ProxyIds = { uid: 1337, gid: 1337 };
const UID_RANGE = 'openshift.io/sa.scc.uid-range';
const GROUPS = 'openshift.io/sa.scc.supplemental-groups';

/** The ids of the proxy on OpenShift: the last of the namespace's ranges, where no application Pod is likely to be. */
export function openshiftIds(namespace: KubeObject | undefined): ProxyIds | { readonly problem: string } {
  const annotations = namespace === undefined ? {} : annotationsOf(namespace);
  const users = annotations[UID_RANGE];
  const uid = users === undefined ? undefined : lastOf(users);
  if (uid === undefined)
    return { problem: `annotation "${UID_RANGE}" of the namespace is missing or no range` };
  const groups = annotations[GROUPS] || users;
  const gid = groups === undefined ? undefined : lastOf(groups.split(',')[0] ?? '');
  if (gid === undefined) return { problem: `annotation "${GROUPS}" of the namespace is no range` };
  return { uid, gid };
}

/** `start/size` or `start-end`. */
function lastOf(range: string): number | undefined {
  const match = /^\s*(\d+)([/-])(\d+)\s*$/.exec(range);
  if (match === null) return undefined;
  const [start, second] = [Number(match[1]), Number(match[3])];
  return match[2] === '-' ? second : start + second - 1;
}

/**
 * A proxy that OpenShift has given the application's own user loses it: its traffic would be taken for the
 * application's, and sent to itself.
 */
export function withoutSharedIds(pod: JsonObject): JsonObject {
  const users = new Set<unknown>();
  mapContainers(pod, (container) => {
    if (container.name !== PROXY) users.add(object(container.securityContext).runAsUser);
    return container;
  });
  return mapContainers(pod, (container) => {
    const context = object(container.securityContext);
    if (container.name !== PROXY || context.runAsUser === undefined || !users.has(context.runAsUser))
      return container;
    return {
      ...container,
      securityContext: withoutMember(withoutMember(context, 'runAsUser'), 'runAsGroup'),
    };
  });
}
