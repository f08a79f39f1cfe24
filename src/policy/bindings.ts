import { authorizerBindings } from '../cel/authorizer.ts';
import type { Bindings } from '../cel/plan/frame.ts';
import type { Authorize } from '../cel/values/authorizer-values.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Attributes, GroupVersionKind, GroupVersionResource } from './attributes.ts';

/** A request as the expressions of a policy or webhook see it. */
export interface ExpressionRequest {
  readonly request: Attributes;
  /** In the version that the rule asked for. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** Null for cluster-scoped objects, and in matchConditions. */
  readonly namespaceObject: JsonObject | null;
  /** Undefined if the policy has no paramKind. */
  readonly params?: JsonObject | null | undefined;
  /** Answers `authorizer`, whose checks fail if there is nobody to ask; absent where expressions have none. */
  readonly authorize?: Authorize | 'unavailable';
}

/** The variables that expressions have, without `variables`. */
export function expressionBindings(context: ExpressionRequest): Bindings {
  return {
    object: context.object,
    oldObject: context.oldObject,
    request: requestValue(context),
    namespaceObject: context.namespaceObject && namespaceValue(context.namespaceObject),
    ...(context.params !== undefined && { params: context.params }),
    ...(context.authorize && authorizerFor(context.authorize, context.request)),
  };
}

/**
 * The variables of expressions that are evaluated for every object. Most use only the object, so the rest is made when it is first
 * read. One set of bindings serves all expressions for an object: `variables` and `item` are set by the caller.
 */
export class DeferredBindings {
  [name: string]: unknown;
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
  variables: unknown = undefined;
  item: unknown = undefined;
  private readonly make: () => ExpressionRequest;
  private made: Bindings | undefined;

  constructor(object: JsonObject, oldObject: JsonObject | null, make: () => ExpressionRequest) {
    this.object = object;
    this.oldObject = oldObject;
    this.make = make;
  }

  get request(): unknown {
    this.made ??= expressionBindings(this.make());
    return this.made.request;
  }

  get namespaceObject(): unknown {
    this.made ??= expressionBindings(this.make());
    return this.made.namespaceObject;
  }

  get params(): unknown {
    this.made ??= expressionBindings(this.make());
    return this.made.params;
  }
}

function authorizerFor(authorize: Authorize | 'unavailable', request: Attributes): Bindings {
  const { resource, subresource, namespace, name } = request;
  const target = { group: resource.group, resource: resource.resource, subresource, namespace, name };
  return authorizerBindings(authorize === 'unavailable' ? undefined : authorize, request.user, target);
}

/** Like the AdmissionReview's request, without uid and objects: empty strings are absent. */
function requestValue({ request, kind, resource }: ExpressionRequest): JsonObject {
  const { subresource, name, namespace, user, operation, dryRun, options } = request;
  return {
    kind: { ...kind },
    resource: { ...resource },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: { ...request.kind },
    requestResource: { ...request.resource },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      ...(user.username !== '' && { username: user.username }),
      ...(user.uid && { uid: user.uid }),
      ...(user.groups && user.groups.length > 0 && { groups: user.groups }),
      ...(user.extra && { extra: user.extra }),
    },
    dryRun,
    options,
  } as JsonObject;
}

const METADATA = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'uid',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'resourceVersion',
  'finalizers',
];

/** The declared part of a Namespace. */
function namespaceValue({ metadata, spec, status }: JsonObject): JsonObject {
  const found = members(metadata);
  const { phase, conditions } = members(status);
  const { finalizers } = members(spec);
  return {
    metadata: Object.fromEntries(
      METADATA.filter((field) => field in found).map((field) => [field, found[field] as Json]),
    ),
    spec: { ...(finalizers !== undefined && { finalizers }) },
    status: { ...(phase !== undefined && { phase }), ...(conditions !== undefined && { conditions }) },
  };
}

function members(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
