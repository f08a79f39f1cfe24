import type { KubeClient } from '../cluster/client/client.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { InputObject } from './read-input.ts';

/** Resource names that kubectl accepts. */
const KINDS: { readonly [name: string]: string } = {
  pod: 'Pod',
  pods: 'Pod',
  po: 'Pod',
  deployment: 'Deployment',
  deployments: 'Deployment',
  deploy: 'Deployment',
  statefulset: 'StatefulSet',
  statefulsets: 'StatefulSet',
  sts: 'StatefulSet',
  daemonset: 'DaemonSet',
  daemonsets: 'DaemonSet',
  ds: 'DaemonSet',
  replicaset: 'ReplicaSet',
  replicasets: 'ReplicaSet',
  rs: 'ReplicaSet',
  job: 'Job',
  jobs: 'Job',
  cronjob: 'CronJob',
  cronjobs: 'CronJob',
  cj: 'CronJob',
};

/** Reads objects of the cluster that are named like `pod/web` or `deploy/web`. */
export async function readLiveObjects(
  client: KubeClient,
  resources: readonly string[],
  namespace: string,
): Promise<InputObject[]> {
  const objects: InputObject[] = [];
  for (const resource of resources) {
    const { ref, name } = parseResource(resource);
    const object = await client.get({ ref, namespace, name });
    if (object === undefined)
      throw new PodgraftError('INPUT_INVALID', `${ref.kind} "${name}" not found in namespace "${namespace}"`);
    objects.push({ object, at: '', place: `namespace ${namespace}` });
  }
  return objects;
}

function parseResource(text: string): { readonly ref: ResourceRef; readonly name: string } {
  const [kind = '', name = '', ...rest] = text.split('/');
  const known = Object.hasOwn(KINDS, kind.toLowerCase()) ? KINDS[kind.toLowerCase()] : undefined;
  if (known !== undefined && name !== '' && rest.length === 0) return { ref: builtin(known), name };
  throw new PodgraftError(
    'USAGE',
    `"${text}": expected pod/NAME, deploy/NAME or another workload; use -f for files`,
  );
}
