import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { asStored } from '../kube/as-stored.ts';
import type { KubeObject } from '../kube/kube-object.ts';

/** An object and its path in the document: empty, or that of an item of a List. */
export interface DocumentObject {
  readonly object: KubeObject;
  readonly at: Pointer;
}

/** The Kubernetes objects of a document, with Lists unpacked. Throws the error that `refuse` returns for a problem. */
export function objectsIn(
  value: Json,
  refuse: (detail: string) => Error,
  at: Pointer = '',
): DocumentObject[] {
  // A document that has only comments.
  if (value === null) return [];
  if (!isJsonObject(value)) throw refuse('not a Kubernetes object');
  const { apiVersion, kind, metadata, items } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw refuse('not a Kubernetes object: apiVersion or kind is missing');
  }
  if (kind.endsWith('List') && isJsonArray(items)) {
    return items.flatMap((item, index) => objectsIn(item, refuse, `${at}/items/${index}`));
  }
  if (metadata !== undefined && !isJsonObject(metadata)) throw refuse(`${kind}: metadata is not a map`);
  // Patches still apply to the text, since adding a key replaces a key without a value.
  return [{ object: asStored({ ...value, metadata: metadata ?? {} } as unknown as KubeObject), at }];
}
