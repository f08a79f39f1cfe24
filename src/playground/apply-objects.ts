import { isRefusal } from '../cluster/client/api-error.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { groupOf, type ResourceRef, resourceOf } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';

/** Creates objects in a cluster, or replaces them. An object that the API server refuses is reported, and the others still applied. */
export async function applyObjects(
  client: KubeClient,
  objects: readonly KubeObject[],
  warn: (text: string) => void,
): Promise<void> {
  // Namespaces and definitions first: others need them.
  for (const object of objects.toSorted((one, other) => rank(one) - rank(other))) {
    const title = `${object.kind} "${object.metadata.name ?? ''}"`;
    const ref = resourceOf(groupOf(object.apiVersion), object.kind);
    if (ref === undefined) {
      warn(`${title} is not applied: its kind is not one of Kubernetes' own; use kubectl`);
      continue;
    }
    try {
      await apply(client, ref, withNamespace(object, ref));
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      warn(`${title} is not applied: ${error.message}`);
    }
  }
}

const FIRST = ['Namespace', 'CustomResourceDefinition'];

function rank({ kind }: KubeObject): number {
  return FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length;
}

function withNamespace(object: KubeObject, { namespaced }: ResourceRef): KubeObject {
  if (!namespaced || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
}

async function apply(client: KubeClient, ref: ResourceRef, object: KubeObject): Promise<void> {
  try {
    await client.create(ref, object);
  } catch (error) {
    if (!isRefusal(error, 'AlreadyExists')) throw error;
    const { name = '', namespace } = object.metadata;
    const found = await client.get({ ref, name, ...(namespace !== undefined && { namespace }) });
    const metadata = { ...object.metadata, ...resourceVersionOf(found) };
    await client.update(ref, { ...object, metadata } as KubeObject);
  }
}

function resourceVersionOf(object: KubeObject | undefined): { readonly resourceVersion?: string } {
  const { resourceVersion } = (object?.metadata ?? {}) as { resourceVersion?: string };
  return resourceVersion === undefined ? {} : { resourceVersion };
}
