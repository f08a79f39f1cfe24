import { builtin, type ClusterView, type DeepReadonly, type ObjectMeta, type Pod } from '../../sdk/index.ts';

export const REPLICA_SET = builtin('ReplicaSet');
export const JOB = builtin('Job');

/** Kinds with a resource attribute, in the operator's order of precedence for the service's name. */
export const OWNER_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job'];

export interface Owner {
  readonly kind: string;
  readonly name: string;
  /** Empty if unknown. */
  readonly uid: string;
}

/** The workloads that own a Pod, directly or through a ReplicaSet or Job; the nearest first. */
export function ownersOf(pod: DeepReadonly<Pod>, namespace: string, cluster: ClusterView): readonly Owner[] {
  const owners: Owner[] = [];
  for (const owner of knownOwners(pod.metadata)) {
    owners.push(owner);
    const { kind, name } = owner;
    const ref = kind === REPLICA_SET.kind ? REPLICA_SET : kind === JOB.kind ? JOB : undefined;
    const object = ref && cluster.get(ref, namespace, name);
    for (const next of object ? knownOwners(object.metadata) : derivedDeployment(owner, pod)) {
      owners.push(next);
    }
  }
  return owners;
}

function knownOwners(metadata: DeepReadonly<ObjectMeta> | undefined): readonly Owner[] {
  const owners: Owner[] = [];
  for (const owner of metadata?.ownerReferences ?? []) {
    if (owners.length === MOST_OWNERS) break;
    if (OWNER_KINDS.includes(owner.kind)) owners.push(owner);
  }
  return owners;
}

/** Real objects have one. Each owner of a Pod may have as many itself. */
const MOST_OWNERS = 20;

/** The name of a ReplicaSet is that of its Deployment and the hash with which the Deployment labels the Pods. */
function derivedDeployment({ kind, name }: Owner, pod: DeepReadonly<Pod>): readonly Owner[] {
  const hash = pod.metadata?.labels?.['pod-template-hash'];
  if (kind !== 'ReplicaSet' || hash === undefined || !name.endsWith(`-${hash}`)) return [];
  return [{ kind: 'Deployment', name: name.slice(0, -hash.length - 1), uid: '' }];
}

export function isOwnedByJob(owners: readonly Owner[]): boolean {
  return owners.some(({ kind }) => kind === 'Job' || kind === 'CronJob');
}

/** A Job is complete when its containers exit, which an ordinary sidecar never does. */
export function endlessJobWarning(container: string): string {
  return `the Job will never finish: container "${container}" keeps running, unlike a native sidecar`;
}
