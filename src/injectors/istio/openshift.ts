import type { JsonObject } from '../../json/json.ts';
import { withoutMember } from '../../json/member.ts';
import { annotationsOf, type KubeObject } from '../../kube/kube-object.ts';
import { PROXY } from './names.ts';
import { mapContainers, object } from './pod-json.ts';

export interface ProxyIds {
  readonly uid: number;
  readonly gid: number;
  readonly warnings: readonly string[];
}

export const DEFAULT_IDS: ProxyIds = { uid: 1337, gid: 1337, warnings: [] };
const UID_RANGE = 'openshift.io/sa.scc.uid-range';
const GROUPS = 'openshift.io/sa.scc.supplemental-groups';

/**
 * The ids of the proxy on OpenShift: the last of the namespace's ranges, where no application Pod is likely to be. Where
 * there is no range they are the same as elsewhere, and the Pod is for OpenShift to judge.
 */
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
      ...(uid === undefined ? [noRange(UID_RANGE, `user ${DEFAULT_IDS.uid}`)] : []),
      ...(gid === undefined ? [noRange(GROUPS, `group ${DEFAULT_IDS.gid}`)] : []),
    ],
  };
}

function noRange(annotation: string, ids: string): string {
  return `annotation "${annotation}" of the namespace is missing or no range: the proxy runs as ${ids}`;
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
  mapContainers(pod, (container, field) => {
    if (container.name !== PROXY && field === 'containers')
      users.add(object(container.securityContext).runAsUser);
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
