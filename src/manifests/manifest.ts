import type { KubeObject } from '../kube/kube-object.ts';

/** One object of the installation, and the words that go with it when people read it. */
export interface Manifest {
  readonly object: KubeObject;
  /** What the object is for. */
  readonly purpose?: string;
  /** Why a field is as it is. */
  readonly comments?: readonly FieldComment[];
}

export type FieldComment = readonly [path: readonly (string | number)[], words: string];
