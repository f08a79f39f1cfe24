import type { JsonObject } from '../json/json.ts';
import type { Attributes, GroupVersionKind, GroupVersionResource } from '../policy/attributes.ts';

/** The request in the version that a webhook's rule names. */
export interface VersionedRequest {
  /** The request as received. */
  readonly original: Attributes;
  /** Differs from the original's if a rule matched an equivalent resource. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
}

/** The AdmissionReview for a webhook, in the API server's order of fields. */
export function buildReview(request: VersionedRequest, version: 'v1' | 'v1beta1', uid: string): JsonObject {
  const { original } = request;
  const { subresource, name, namespace, user } = original;
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      kind: { ...request.kind },
      resource: { ...request.resource },
      ...(subresource !== '' && { subResource: subresource }),
      requestKind: { ...original.kind },
      requestResource: { ...original.resource },
      ...(subresource !== '' && { requestSubResource: subresource }),
      ...(name !== '' && { name }),
      ...(namespace !== '' && { namespace }),
      operation: original.operation,
      userInfo: {
        username: user.username,
        ...(user.uid && { uid: user.uid }),
        ...(user.groups && user.groups.length > 0 && { groups: user.groups }),
        ...(user.extra && { extra: user.extra }),
      },
      object: request.object,
      oldObject: request.oldObject,
      dryRun: original.dryRun,
      options: original.options,
    },
  };
}
