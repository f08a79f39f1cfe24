import type { FieldError } from '../kube/field-error.ts';
import type { Attributes } from '../policy/attributes.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import { invalid } from '../policy/status.ts';
import type { ChainContext } from './context.ts';
import type { Status } from './outcome.ts';
import { validateCustomResource } from './validate-custom-resource.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validatePod } from './validate-pod.ts';

/** API validation between the two phases. Metadata of all kinds and the specs of Pods are checked; other specs are not. */
export function validateObject(request: Attributes, { cluster }: ChainContext): Status | undefined {
  const { object, kind, subresource } = request;
  if (object === null || subresource !== '' || isVirtual(request)) return undefined;
  const errors: FieldError[] = validateMetadata(object);
  if (kind.group === '' && kind.kind === 'Pod') errors.push(...validatePod(object, request.oldObject));
  const schema = cluster.customResource(kind)?.schema;
  if (schema !== undefined) errors.push(...validateCustomResource(object, schema));
  if (errors.length === 0) return undefined;
  const { name } = metadataOf(object);
  return invalid({ kind: kind.kind, group: kind.group, name: typeof name === 'string' ? name : '' }, errors);
}

/** Reviews are answered, not stored, and have no name. */
function isVirtual({ resource }: Attributes): boolean {
  return /reviews$/.test(resource.resource) || resource.resource === 'bindings';
}
