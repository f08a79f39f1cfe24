import type { DeepReadonly, KubeObject } from '../kube/kube-object.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** An admission request without its object, independent of the version of AdmissionReview. */
export interface Request {
  readonly uid: string;
  readonly operation: AdmissionOperation;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Empty for the object itself. */
  readonly subResource: string;
  /** Empty under `generateName`. */
  readonly name: string;
  /** The object's own `metadata.namespace` may be empty; this is not, except for cluster-scoped kinds. */
  readonly namespace: string;
  readonly userInfo: UserInfo;
  readonly dryRun: boolean;
  readonly oldObject?: KubeObject;
  /** The webhook's URL path if it is one of an injector's `paths`, such as `/inject/cluster/east`. */
  readonly path?: string;
}

export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: DeepReadonly<{ [key: string]: string[] }>;
}
