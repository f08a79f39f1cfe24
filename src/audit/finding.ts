/** What an injector would still change on the running Pods of one workload. */
export interface Finding {
  readonly namespace: string;
  readonly workload: Workload;
  /** Of the object that controls the Pods, or of the Pod itself. */
  readonly controllerUid?: string;
  readonly injector: string;
  readonly reason: Reason;
  /** The first paths that would change. */
  readonly paths: readonly string[];
  /** The first Pods, by name. */
  readonly pods: readonly string[];
  readonly podCount: number;
  /** When the oldest of the Pods was created. */
  readonly since?: string;
}

/** The controller of the Pods, or the Pod itself if nothing would create it again. */
export interface Workload {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export type Reason =
  | 'created before Podgraft'
  | 'removed after injection'
  | 'configuration changed since'
  | 'namespace changed since'
  | 'Podgraft was not called, or did not answer';
