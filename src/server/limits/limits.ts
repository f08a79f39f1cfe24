/** Limits of the server, with their reasons. */
export interface Limits {
  /** An UPDATE carries object and oldObject, each up to etcd's 3 MiB for a request, and an envelope of about 1 MiB. */
  readonly bodyBytes: number;
  /**
   * Bodies together, from their first byte to their answer: four of the largest, or a thousand Pods of 32 KiB. Beyond it the
   * oldest unfinished one is answered with 429: the API server sends a body at once.
   */
  readonly bodiesBytes: number;
  /**
   * Large answers together, until they have been read: the largest one fits, and each is in memory up to three times, as
   * text, as bytes and encrypted.
   */
  readonly unreadBytes: number;
  /**
   * Reviews under way, with a complete body: waiting for their turn, or for objects that are being gathered. Beyond it, the
   * newest one of the peer that has the most is answered with 429.
   */
  readonly concurrentReviews: number;
  /**
   * HTTP/1.1 needs a connection for each review at a time: an API server runs 200 mutating requests by default and keeps 25
   * idle connections, so nine of them fit. A connection takes up to 50 KiB before it has sent anything.
   */
  readonly connections: number;
  /** Reviews answered together: enough for warm CPU caches, but few, since the first response waits for the last answer. */
  readonly batchedReviews: number;
  /** Size of the bodies answered together: parsed objects take several times as much memory. */
  readonly batchedBytes: number;
  /** Connections to the metrics port: a few probes and scrapers. */
  readonly metricsConnections: number;
  /** The API server sends headers and body at once; a slower client is not the API server. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** A connection on which nothing moves, such as one that does not read its response: the longest timeout of a webhook. */
  readonly stalledMs: number;
  /** Longer than any pause of a busy API server, so that the client closes idle connections. */
  readonly keepAliveMs: number;
  /** For reading objects that the cluster view lacks: a fraction of the webhook's usual timeout. */
  readonly gatherMs: number;
  /** A review that takes longer is logged: usual ones take a few milliseconds, and webhooks of the manifests time out after five seconds. */
  readonly slowMs: number;
  /** How long a drain waits for connections that do not close by themselves. */
  readonly drainMs: number;
  /**
   * How long a connection may be idle while draining. A busy one gets `Connection: close` with its next response. Closing it
   * earlier could lose a request on its way, and Go does not retry a POST.
   */
  readonly drainIdleMs: number;
  /**
   * How long the event loop may be blocked before the process is ended: no object should take more than half a second, and
   * by then the API server has given up on this review and on all that wait behind it.
   */
  readonly blockedMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 7 * 1024 * 1024,
  bodiesBytes: 32 * 1024 * 1024,
  unreadBytes: 16 * 1024 * 1024,
  concurrentReviews: 1000,
  connections: 2000,
  metricsConnections: 100,
  batchedReviews: 16,
  batchedBytes: 512 * 1024,
  headersMs: 5_000,
  requestMs: 15_000,
  stalledMs: 30_000,
  keepAliveMs: 120_000,
  gatherMs: 1_000,
  slowMs: 1_000,
  drainMs: 25_000,
  drainIdleMs: 3_000,
  blockedMs: 5_000,
};
