import { type DeepReadonly, labelsOf, type OwnerReference, type Pod } from '../../../sdk/index.ts';

/** The workload that a Pod belongs to, as far as its own metadata shows. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export function ownerOf(pod: DeepReadonly<Pod>): Owner {
  const { name = '', generateName = '', ownerReferences = [] } = pod.metadata ?? {};
  const controller = ownerReferences.find((reference) => reference.controller === true);
  if (generateName === '' || controller === undefined) return { apiVersion: 'v1', kind: 'Pod', name };
  const owner = workloadOf(controller, pod);
  return owner.name === '' ? { ...owner, name } : owner;
}

function workloadOf(controller: DeepReadonly<OwnerReference>, pod: DeepReadonly<Pod>): Owner {
  const { apiVersion = '', kind = '', name = '' } = controller;
  const labels = labelsOf({ metadata: pod.metadata ?? {} });
  if (kind === 'ReplicaSet') {
    const hash = labels['pod-template-hash'];
    if (hash && name.endsWith(hash)) return { apiVersion, kind: 'Deployment', name: withoutHash(name, hash) };
    const rollout = labels['rollouts-pod-template-hash'];
    if (rollout && name.endsWith(rollout))
      return { apiVersion: 'v1alpha1', kind: 'Rollout', name: withoutHash(name, rollout) };
  }
  if (kind === 'ReplicationController' && labels.deploymentconfig) {
    return { apiVersion, kind: 'DeploymentConfig', name: labels.deploymentconfig };
  }
  const scheduled = kind === 'Job' ? /^(.+)-\d{8,10}$/.exec(name) : null;
  if (scheduled !== null) return { apiVersion: 'batch/v1', kind: 'CronJob', name: scheduled[1] ?? name };
  return { apiVersion, kind, name };
}

/** `web` for `web-5d4` and `5d4`. */
function withoutHash(name: string, hash: string): string {
  return name.endsWith(`-${hash}`) ? name.slice(0, -hash.length - 1) : name;
}
