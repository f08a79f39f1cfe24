import type { DeepReadonly, StringMap } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { AdmissionOperation } from './request.ts';

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
  /** Default: CREATE. Pods are injected on CREATE only, whatever this says: their spec is immutable. */
  readonly operations?: readonly (AdmissionOperation | '*')[];
  /** Names in which `*` matches any run of characters. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: DeepReadonly<LabelSelector>;
  readonly objectSelector?: DeepReadonly<LabelSelector>;
  /** Annotations that the object must have, with these values. */
  readonly annotations?: StringMap;
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
