/** A mistake in a hand-written overlay. */
export interface OverlayProblem {
  readonly path: readonly string[];
  readonly message: string;
  /** A field that this version does not know; a newer Kubernetes may have it. */
  readonly isUnknownField?: true;
}
