/** A mistake in a hand-written overlay. */
export interface OverlayProblem {
  readonly path: readonly string[];
  readonly message: string;
  /** Default: an error. */
  readonly severity?: 'warning';
  /** A field that this version does not know; a newer Kubernetes may have it. */
  readonly isUnknownField?: true;
}
