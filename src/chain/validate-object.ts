import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import type { FieldError } from '../kube/field-error.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { templatePathOf } from '../kube/workload.ts';
import type { Attributes } from '../policy/attributes.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import { invalid } from '../policy/status.ts';
import type { ChainContext } from './context.ts';
import type { Status } from './outcome.ts';
import { validateCustomResource } from './validate-custom-resource.ts';
import { validateMetadata } from './validate-metadata.ts';
import { validatePod, validatePodTemplate } from './validate-pod.ts';

/** API validation between the two phases. Metadata of all kinds, Pods and Pod templates are checked; other specs are not. */
export function validateObject(request: Attributes, { cluster }: ChainContext): Status | undefined {
  const { object, kind, subresource } = request;
  if (object === null || subresource !== '' || isVirtual(request)) return undefined;
  const errors: FieldError[] = validateMetadata(object);
  if (kind.group === '' && kind.kind === 'Pod') errors.push(...validatePod(object, request.oldObject));
  else errors.push(...templateErrors(object));
  const schema = cluster.customResource(kind)?.schema;
  if (schema !== undefined) errors.push(...validateCustomResource(object, schema));
  if (errors.length === 0) return undefined;
  const { name } = metadataOf(object);
  return invalid({ kind: kind.kind, group: kind.group, name: typeof name === 'string' ? name : '' }, errors);
}

function templateErrors(object: JsonObject): FieldError[] {
  const path = templatePathOf(object as unknown as KubeObject);
  const template = path === undefined ? undefined : valueAt(object, path);
  if (path === undefined || !isJsonObject(template)) return [];
  const spec = isJsonObject(object.spec) ? object.spec : {};
  const claimVolumes = (isJsonArray(spec.volumeClaimTemplates) ? spec.volumeClaimTemplates : [])
    .filter(isJsonObject)
    .map((claim) => String(metadataOf(claim).name));
  return validatePodTemplate(template, path.slice(1).replaceAll('/', '.'), claimVolumes);
}

/** Reviews are answered, not stored, and have no name. */
function isVirtual({ resource }: Attributes): boolean {
  return /reviews$/.test(resource.resource) || resource.resource === 'bindings';
}
