import { isJsonObject, type JsonObject } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import { withoutNulls } from '../json/without-nulls.ts';
import { annotationsOf, asJson, type KubeObject, labelsOf, type StringMap } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import { podDefect, podSizeDefect, templateDefect } from '../kube/pod-defect.ts';
import { builtin, resourceOf } from '../kube/resource.ts';
import { sizeDefect } from '../kube/size-defect.ts';
import { templatePathOf } from '../kube/workload.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Condition } from '../sdk/match.ts';
import type { Request } from '../sdk/request.ts';
import type { Pipeline, Stage } from './pipeline.ts';
import type { ResolvedMatch } from './resolve-match.ts';

/** The stages of a pipeline for one request. */
export interface SelectedStages {
  /** No injector may touch the object. */
  readonly isExcluded: boolean;
  /** Nor may those of a server that excludes no namespaces. */
  readonly isFixed: boolean;
  /** The object is too large for injectors, and such objects are denied if an injector matches them. */
  readonly isOversized?: boolean;
  readonly denial?: Denial | undefined;
  readonly candidates: readonly Candidate[];
}

export interface Denial {
  readonly injector: string;
  readonly reason: string;
}

export interface Candidate {
  readonly stage: Stage;
  /** Why the stage is not for this request; undefined if only the object decides. */
  readonly mismatch: string | undefined;
  /** Why that could not be decided. */
  readonly error?: unknown;
  /** The last object that `objectMismatch` judged, and its result. */
  judged?: KubeObject | undefined;
  objectMismatch?: Mismatch;
}

/** Why a stage is not for an object; undefined if it is. An error if the object has a value for which a condition fails. */
export type Mismatch = string | Error | undefined;

/** Decides everything that does not change while injectors run; the object's labels and annotations may. */
export function selectStages(
  { stages, excludedNamespaces, oversized }: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
): SelectedStages {
  const { namespace } = request;
  const exemption = exemptionOf(request, object);
  const fixed = exemption ?? defectOf(request, object);
  const isExcludedNamespace = excludedNamespaces.has(namespace);
  const exclusion = isExcludedNamespace ? `namespace "${namespace}" is excluded` : fixed;
  const isLeftAlone = exemption === undefined && fixed !== undefined && !isExcludedNamespace;
  const size = isLeftAlone && oversized === 'deny' ? oversize(request, object) : undefined;
  let labels: StringMap | undefined;
  const namespaceLabels = () => {
    labels ??= namespaceLabelsOf(request, object, cluster);
    return labels;
  };
  return {
    isExcluded: exclusion !== undefined,
    isFixed: fixed !== undefined,
    isOversized: size !== undefined,
    denial: size === undefined ? undefined : denialOf(stages, size, request, object, namespaceLabels),
    candidates: stages.map((stage) => {
      try {
        return {
          stage,
          mismatch: exclusion ?? requestMismatch(stage.match, request, object, namespaceLabels),
          judged: undefined,
          objectMismatch: undefined,
        };
      } catch (error) {
        return { stage, mismatch: undefined, error };
      }
    }),
  };
}

/** Set by the kubelet on the API's copy of a static Pod, which is read-only. */
const MIRROR = 'kubernetes.io/config.mirror';

/** Why no server changes such an object, whatever it contains. */
function exemptionOf({ kind, operation, subResource }: Request, object: KubeObject): string | undefined {
  // TokenReview, SubjectAccessReview and the like: the cluster's security must not depend on this server.
  if (kind.group === 'authentication.k8s.io' || kind.group === 'authorization.k8s.io') {
    return `${kind.kind} is never changed`;
  }
  if (subResource !== '') return `subresource "${subResource}" is never changed`;
  if (operation === 'DELETE' || operation === 'CONNECT') return `nothing to inject on ${operation}`;
  // Options of subresources have no metadata, every other object should.
  if (!isJsonObject(object.metadata)) return 'metadata is not a map';
  const { name, generateName }: JsonObject = object.metadata;
  // From the API server both are strings. Elsewhere a name may lack its quotes.
  if (typeof (name ?? '') !== 'string') return 'metadata.name is not a string';
  if (typeof (generateName ?? '') !== 'string') return 'metadata.generateName is not a string';
  return isPod(kind) && operation !== 'CREATE' ? 'a Pod is injected on CREATE only' : undefined;
}

/** Why an object is not one that injectors can handle. */
function defectOf({ kind }: Request, object: KubeObject): string | undefined {
  if (!isPod(kind)) return tooLarge({ kind }, object);
  return invalidPod({ kind }, object) ?? (isMirror(object) ? 'a mirror pod is never changed' : undefined);
}

function isPod({ group, kind }: Request['kind']): boolean {
  return kind === 'Pod' && group === '';
}

function isMirror(object: KubeObject): boolean {
  return Object.hasOwn(annotationsOf(object), MIRROR);
}

/** Why a Pod is not injected and left for the API server to reject; undefined for other kinds and for Pods that injectors can handle. */
export function invalidPod({ kind }: Pick<Request, 'kind'>, object: KubeObject): string | undefined {
  if (!isPod(kind)) return undefined;
  const defect = podDefect(asJson(object));
  return defect === undefined ? undefined : `the Pod is invalid: ${defect}`;
}

/** Why an object other than a Pod would cost too much time and memory. */
function tooLarge({ kind: { group, kind } }: Pick<Request, 'kind'>, object: KubeObject): string | undefined {
  const size = sizeDefect(asJson(object));
  if (size !== undefined) return `the object is too large: ${size}`;
  const path = templatePathOf(object);
  // A custom resource may have the name of a built-in kind.
  if (path === undefined || resourceOf(group, kind) === undefined) return undefined;
  const template = valueAt(asJson(object), path);
  const defect = isJsonObject(template) ? templateDefect(template) : undefined;
  return defect === undefined ? undefined : `the Pod template is too large: ${defect}`;
}

/** Why an object with a defect is too large for injectors; undefined if the API server rejects it anyway. */
function oversize({ kind }: Request, object: KubeObject): string | undefined {
  if (!isPod(kind)) return tooLarge({ kind }, object);
  const size = podSizeDefect(asJson(object));
  if (size === undefined || podDefect(asJson(object)) !== size || isMirror(object)) return undefined;
  return `the Pod is too large: ${size}`;
}

/** Denies an object that an injector would have to leave alone. */
function denialOf(
  stages: readonly Stage[],
  size: string,
  request: Request,
  object: KubeObject,
  namespaceLabels: () => StringMap,
): Denial | undefined {
  const stage = stages.find(({ match }) => {
    try {
      const mismatch =
        requestMismatch(match, request, object, namespaceLabels) ?? mismatchOf(match, object, request);
      // An error such as a condition that costs too much for this object.
      return mismatch === undefined || mismatch instanceof Error;
    } catch {
      // The namespace could not be read.
      return true;
    }
  });
  if (stage === undefined) return undefined;
  const reason = `${size}; injector "${stage.name}" matches it, and the configuration has "oversized: deny"`;
  return { injector: stage.name, reason };
}

function requestMismatch(
  match: ResolvedMatch,
  request: Request,
  object: KubeObject,
  namespaceLabels: () => StringMap,
): string | undefined {
  const { kind, operation, namespace } = request;
  if (!match.kinds.some((ref) => ref === '*' || (ref.kind === kind.kind && ref.group === kind.group))) {
    return `not for kind ${kind.kind}`;
  }
  if (!match.operations.includes(operation) && !match.operations.includes('*')) {
    return `not for operation ${operation}`;
  }
  if (match.namespaces && !match.namespaces.some((name) => matchesNamePattern(name, namespace))) {
    return `namespaces do not include "${namespace}"`;
  }
  const mismatch = identityMismatch(match, request, object);
  if (mismatch !== undefined) return mismatch;
  // As for the API server, a namespaceSelector does not restrict cluster-scoped objects.
  if (match.namespaceSelector === undefined || namespace === '') return undefined;
  if (matchesSelector(match.namespaceSelector, namespaceLabels())) return undefined;
  return `namespaceSelector does not match namespace "${namespace}"`;
}

/** By the names of object and user, which do not change while injectors run. */
function identityMismatch(
  { names, users, groups, exclude }: ResolvedMatch,
  { namespace, userInfo }: Request,
  { metadata: { name, generateName } }: KubeObject,
): string | undefined {
  const called = name ?? generateName ?? '';
  const { username, groups: own = [] } = userInfo;
  if (names && !isAny(names, called)) return `names do not include "${called}"`;
  if (users && !isAny(users, username)) return `users do not include "${username}"`;
  if (groups && !own.some((group) => isAny(groups, group))) return 'groups do not include one of the user';
  if (exclude === undefined) return undefined;
  if (isAny(exclude.namespaces, namespace)) return `namespace "${namespace}" is excluded`;
  if (isAny(exclude.names, called)) return `name "${called}" is excluded`;
  if (isAny(exclude.users, username)) return `user "${username}" is excluded`;
  const group = own.find((each) => isAny(exclude.groups, each));
  return group === undefined ? undefined : `group "${group}" is excluded`;
}

function isAny(patterns: readonly string[] = [], name: string): boolean {
  return patterns.some((pattern) => matchesNamePattern(pattern, name));
}

export const NAMESPACE = builtin('Namespace');

/** Every namespace has the label with its name, also one that the view does not have. */
function namespaceLabelsOf(request: Request, object: KubeObject, cluster: ClusterView): StringMap {
  // On CREATE and UPDATE of a Namespace the API server uses the labels of the new object.
  const isNamespace = request.kind.kind === 'Namespace' && request.kind.group === '';
  const namespace = isNamespace ? object : cluster.get(NAMESPACE, undefined, request.namespace);
  const implied = { 'kubernetes.io/metadata.name': request.namespace };
  return namespace === undefined ? implied : { ...implied, ...labelsOf(namespace) };
}

/** The object as its type promises: Go encodes a nil list or map without `omitempty` as null. */
export function typedObject(object: KubeObject): KubeObject {
  // Managed fields are often larger than the rest of the object, and irrelevant to injectors.
  return withoutNulls(asJson(object), 'managedFields') as unknown as KubeObject;
}

/** For the object as it is now. Worked out once for each object. */
export function objectMismatch(candidate: Candidate, object: KubeObject, request: Request): Mismatch {
  if (candidate.judged !== object) {
    candidate.objectMismatch = mismatchOf(candidate.stage.match, object, request);
    candidate.judged = object;
  }
  return candidate.objectMismatch;
}

function mismatchOf(match: ResolvedMatch, object: KubeObject, request: Request): Mismatch {
  const { objectSelector, annotations, hasAnnotations, exclude, conditions } = match;
  if (objectSelector && !matchesSelector(objectSelector, labelsOf(object))) {
    return 'objectSelector does not match the labels';
  }
  if (annotations || hasAnnotations) {
    const found = annotationsOf(object);
    for (const key in annotations) {
      if (!Object.hasOwn(found, key)) return `no annotation "${key}"`;
      if (found[key] !== annotations[key]) return `annotation "${key}" is not "${annotations[key]}"`;
    }
    const missing = hasAnnotations?.find((key) => !Object.hasOwn(found, key));
    if (missing !== undefined) return `no annotation "${missing}"`;
  }
  if (exclude !== undefined) {
    if (exclude.objectSelector && matchesSelector(exclude.objectSelector, labelsOf(object)))
      return 'excluded by its labels';
    const found = annotationsOf(object);
    const excluding = exclude.hasAnnotations?.find((key) => Object.hasOwn(found, key));
    if (excluding !== undefined) return `excluded by annotation "${excluding}"`;
  }
  return conditions && conditionMismatch(conditions, object, request);
}

/** As for the API server, one condition that is false decides, even if others fail. */
function conditionMismatch(conditions: readonly Condition[], object: KubeObject, request: Request): Mismatch {
  let errors: Error[] | undefined;
  for (const condition of conditions) {
    const holds = condition.holds(object, request);
    if (!holds) return `condition is not true: ${condition.expression}`;
    if (holds instanceof Error) {
      errors ??= [];
      errors.push(holds);
    }
  }
  if (errors === undefined || errors.length === 1) return errors?.[0];
  const messages = errors.map(({ message }) => message);
  return new PodgraftError('EXPRESSION_FAILED', `[${messages.join(', ')}]`);
}
