import { isJsonObject, type JsonObject } from '../json/json.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type {
  Attributes,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
  UserInfo,
} from '../policy/attributes.ts';

/** A request to the API server, after authentication and authorization. Only `object` or `oldObject` is required. */
export interface ChainRequest {
  /** CREATE, or UPDATE if there is an `oldObject`, or DELETE if there is only that. */
  readonly operation?: Operation;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  /** Of the object, unless given: `scale` and others have their own kind. */
  readonly kind?: GroupVersionKind;
  /** By its kind, unless given, which custom resources without a definition need. */
  readonly resource?: GroupVersionResource;
  readonly subresource?: string;
  readonly name?: string;
  /** Of the object, else `default` for kinds that have a namespace. */
  readonly namespace?: string;
  /** `CreateOptions` and so on; made from `dryRun` unless given. */
  readonly options?: JsonObject | null;
  readonly dryRun?: boolean;
  readonly user?: UserInfo;
  /** For the whole request: 34 seconds unless the client sets less. */
  readonly timeoutSeconds?: number;
}

/** Completes a request with its implicit parts. `resourceOfKind` knows custom resources. */
export function resolveRequest(
  request: ChainRequest,
  resourceOfKind: (kind: GroupVersionKind) => (GroupVersionResource & { namespaced: boolean }) | undefined,
): Attributes {
  const object = request.object ?? null;
  const oldObject = request.oldObject ?? null;
  const operation =
    request.operation ?? (object === null ? 'DELETE' : oldObject === null ? 'CREATE' : 'UPDATE');
  const source = object ?? oldObject;
  const kind = request.kind ?? kindOf(source);
  const known = knownResource(kind) ?? resourceOfKind(kind);
  const resource = request.resource ?? known;
  if (resource === undefined) {
    throw new PodgraftError(
      'INPUT_INVALID',
      `Cannot admit a ${kind.kind} of ${kind.group || 'the core group'}: no resource is known for this kind; set \`resource\``,
    );
  }
  const metadata = isJsonObject(source?.metadata) ? source.metadata : {};
  const name = request.name ?? text(metadata.name);
  const isNamespaced = known?.namespaced ?? request.namespace !== undefined;
  const isNamespace = resource.group === '' && resource.resource === 'namespaces';
  const namespace = isNamespace
    ? name
    : (request.namespace ?? (text(metadata.namespace) || (isNamespaced ? 'default' : '')));
  const dryRun = request.dryRun ?? false;
  return {
    operation,
    kind,
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    subresource: request.subresource ?? '',
    name,
    namespace,
    object,
    oldObject,
    options: request.options === undefined ? optionsFor(operation, dryRun) : request.options,
    dryRun,
    user: request.user ?? {
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    },
  };
}

function kindOf(object: JsonObject | null): GroupVersionKind {
  const { apiVersion, kind } = object ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') {
    throw new PodgraftError('INPUT_INVALID', 'Cannot admit a request: its object has no apiVersion and kind');
  }
  return { group: groupOf(apiVersion), version: apiVersion.slice(apiVersion.indexOf('/') + 1), kind };
}

function knownResource(kind: GroupVersionKind): (GroupVersionResource & { namespaced: boolean }) | undefined {
  const known = resourceOf(kind.group, kind.kind);
  return known === undefined ? undefined : { ...known, version: kind.version };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };

function optionsFor(operation: Operation, dryRun: boolean): JsonObject | null {
  if (operation === 'CONNECT') return null;
  return {
    kind: OPTIONS[operation],
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun && { dryRun: ['All'] }),
  };
}
