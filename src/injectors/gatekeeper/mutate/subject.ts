import type { KubeObject } from '../../../sdk/index.ts';

/** What mutators know about an object besides its content. */
export interface Subject {
  /** Empty under `generateName`. */
  readonly name: string;
  /** Empty for cluster-scoped objects, except for a Namespace, which uses its own name. */
  readonly namespace: string;
  readonly isNamespace: boolean;
  readonly username: string;
  /** Undefined if unknown. */
  namespaceObject(): KubeObject | undefined;
}
