import { builtin, type DeepReadonly, type OwnerReference, type ResourceRef } from '../../sdk/index.ts';
import type { Subject } from './subject.ts';

export const REPLICA_SET = builtin('ReplicaSet');
export const JOB = builtin('Job');

export interface Owner {
  readonly kind: string;
  readonly name: string;
  /** Empty where it is not known. */
  readonly uid: string;
}

/** Kinds that have an attribute, and where their own owner is looked up. */
const KINDS: ReadonlyMap<string, ResourceRef | undefined> = new Map([
  ['ReplicaSet', REPLICA_SET],
  ['Deployment', undefined],
  ['StatefulSet', undefined],
  ['DaemonSet', undefined],
  ['Job', JOB],
  ['CronJob', undefined],
]);

/** The workloads to which a Pod belongs, the nearest first. */
export function ownersOf(subject: Subject): readonly Owner[] {
  // Every container asks.
  subject.owners ??= (subject.pod.metadata?.ownerReferences ?? []).flatMap((owner) => chain(owner, subject));
  return subject.owners;
}

/** A Job is done when its containers are: one that runs on beside them keeps it from ever finishing. */
export function isOfJob(subject: Subject): boolean {
  return ownersOf(subject).some(({ kind }) => kind === 'Job' || kind === 'CronJob');
}

export function endlessJob(container: string): string {
  return `the Job will not finish: its container "${container}" runs on, unlike a native sidecar`;
}

function chain(reference: DeepReadonly<OwnerReference>, subject: Subject): Owner[] {
  const { kind, name, uid } = reference;
  if (!KINDS.has(kind)) return [];
  const owner = { kind, name, uid };
  const ref = KINDS.get(kind);
  if (ref === undefined) return [owner];
  const object = subject.cluster.get(ref, subject.namespace, name);
  if (object !== undefined) {
    return [owner, ...(object.metadata.ownerReferences ?? []).flatMap((next) => chain(next, subject))];
  }
  const deployment = kind === 'ReplicaSet' ? deploymentName(name, subject) : undefined;
  return deployment === undefined ? [owner] : [owner, { kind: 'Deployment', name: deployment, uid: '' }];
}

/** A Deployment names its ReplicaSets by itself and the hash with which it labels their Pods. */
function deploymentName(replicaSet: string, { pod }: Subject): string | undefined {
  const hash = pod.metadata?.labels?.['pod-template-hash'];
  if (hash === undefined || !replicaSet.endsWith(`-${hash}`)) return undefined;
  return replicaSet.slice(0, -hash.length - 1);
}
