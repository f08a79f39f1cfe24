import type { DeepReadonly, KubeObject, StringMap } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { AdmissionOperation, Request } from './request.ts';

/** One of several label selections of an injector. */
export interface Selection {
  /** A DNS label. */
  readonly name: string;
  readonly namespaceSelector: DeepReadonly<LabelSelector>;
  readonly objectSelector: DeepReadonly<LabelSelector>;
}

/**
 * Which requests an injector is for. All conditions must hold; an absent one always holds. It is data, since the webhook
 * configuration is generated from it.
 */
export interface Match {
  /** `Pod`, `Deployment`, `Event.events.k8s.io`, a reference for a custom resource, or `*`. Default: Pod. */
  readonly kinds?: readonly (string | ResourceRef)[];
  /** Default: CREATE. Pods are always injected on CREATE only: their spec is immutable. */
  readonly operations?: readonly (AdmissionOperation | '*')[];
  /** Names in which `*` matches any run of characters. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: DeepReadonly<LabelSelector>;
  readonly objectSelector?: DeepReadonly<LabelSelector>;
  /** Annotations that the object must have, with these values. */
  readonly annotations?: StringMap;
  /** Annotations that the object must have, whatever their values. */
  readonly hasAnnotations?: readonly string[];
  /** Patterns for the object's name, or for its `generateName`. */
  readonly names?: readonly string[];
  /** Patterns for the name of the user who makes the request. */
  readonly users?: readonly string[];
  /** Patterns, one of which a group of the user must match. */
  readonly groups?: readonly string[];
  /** Objects and requests for which any of these holds are left alone. */
  readonly exclude?: Exclusion;
  /** CEL expressions that must be true. */
  readonly conditions?: readonly Condition[];
}

export type Exclusion = Pick<
  Match,
  'namespaces' | 'names' | 'users' | 'groups' | 'objectSelector' | 'hasAnnotations'
>;

/** A compiled CEL expression. */
export interface Condition {
  readonly expression: string;
  /** The error if it cannot be evaluated for this object. */
  holds(object: KubeObject, request: Request): boolean | Error;
}

/** Kinds and operations that an injector's objects are for. */
export interface KindRule {
  /** `*` for all. */
  readonly group: string;
  /** Empty for all. */
  readonly versions: readonly string[];
  /** `*` for all. */
  readonly kind: string;
  readonly operations: readonly AdmissionOperation[];
}
