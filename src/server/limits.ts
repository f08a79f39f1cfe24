/** What a request may take, with the reasons. */
export interface Limits {
  /** An UPDATE carries object and oldObject, each up to etcd's 3 MiB for a request, and an envelope of about 1 MiB. */
  readonly bodyBytes: number;
  /** Reviews whose body is being read, that wait for their turn or whose needs are being gathered. */
  readonly concurrentReviews: number;
  /**
   * Reviews that came in together and are answered together. Enough to work from warm caches; no more, since the first of
   * them is answered when the last has been decided.
   */
  readonly batchedReviews: number;
  /** Of bodies answered together: all of them are in memory as objects then, several times as large as they came. */
  readonly batchedBytes: number;
  /** The API server sends headers and body at once; what takes longer is not the API server. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Longer than any pause of a busy API server, so that it, not we, closes idle connections. */
  readonly keepAliveMs: number;
  /** For objects that are not in the cluster view yet: a fraction of the webhook's usual timeout. */
  readonly gatherMs: number;
  /** How long SIGTERM waits for connections that do not end by themselves. */
  readonly drainMs: number;
  /**
   * How long a connection may stay without a request once draining. One that is in use gets `Connection: close` with its next
   * answer; closing it ourselves could cut off a request that is on its way, which Go does not repeat for a POST.
   */
  readonly drainIdleMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 7 * 1024 * 1024,
  concurrentReviews: 1000,
  batchedReviews: 16,
  batchedBytes: 512 * 1024,
  headersMs: 5_000,
  requestMs: 15_000,
  keepAliveMs: 120_000,
  gatherMs: 1_000,
  drainMs: 25_000,
  drainIdleMs: 3_000,
};
