import type { DeepReadonly, StringMap } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { AdmissionOperation } from './request.ts';

/** One of several ways by which labels select an object for an injector. */
export interface Selection {
  /** A DNS label. */
  readonly name: string;
  readonly namespaceSelector: DeepReadonly<LabelSelector>;
  readonly objectSelector: DeepReadonly<LabelSelector>;
}

/**
 * Which requests an injector is for. All given conditions must hold; one that is left out always does. Data, not code:
 * the webhook configuration is generated from it.
 */
export interface Match {
  /** `Pod`, `Deployment`, `Event.events.k8s.io`, a reference for a custom resource, or `*`. Pods where left out. */
  readonly kinds?: readonly (string | ResourceRef)[];
  /** CREATE where left out. Pods are injected on CREATE only, whatever stands here: their spec is immutable. */
  readonly operations?: readonly (AdmissionOperation | '*')[];
  /** Names, where `*` stands for any run of characters. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: DeepReadonly<LabelSelector>;
  readonly objectSelector?: DeepReadonly<LabelSelector>;
  /** Annotations that the object has, with just these values. */
  readonly annotations?: StringMap;
}
