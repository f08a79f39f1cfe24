import type { DeepReadonly, KubeObject, StringMap } from '../kube/kube-object.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What the API server asks about, whichever version of AdmissionReview it came in. */
export interface Request {
  readonly uid: string;
  readonly operation: AdmissionOperation;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Empty for the object itself. */
  readonly subResource: string;
  /** Empty under `generateName`. */
  readonly name: string;
  /** The truth about the namespace: the object's own may be empty. Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly userInfo: UserInfo;
  readonly dryRun: boolean;
  /** As it was sent, for `needs`; `inject` is given it as it is by then. Absent on DELETE. */
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  /** Of the webhook's URL, where that says more than which webhook it is: `/inject/cluster/east`. */
  readonly path?: string;
}

export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: DeepReadonly<{ [key: string]: string[] }>;
}

export type { StringMap };
