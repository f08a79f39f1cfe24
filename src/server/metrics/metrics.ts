import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Step } from '../../pipeline/trace.ts';
import type { Request } from '../../sdk/request.ts';
import { createTally } from './tally.ts';

export type RejectReason =
  | 'bad_review'
  | 'too_large'
  | 'content_type'
  | 'overloaded'
  | 'deadline'
  | 'injector_failed'
  | 'unauthorized'
  | 'timeout'
  | 'bad_http';

export interface Metrics {
  readonly registry: Registry;
  /** Exposes the number of reviews under way. */
  watchInFlight(count: () => number): void;
  /** Counts an answered review; `seconds` is the time from the request's headers to its answer. */
  reviewed(
    path: '/mutate' | '/validate',
    request: Request,
    trace: readonly Step[],
    operations: number,
    seconds: number,
  ): void;
  rejected(reason: RejectReason, injector?: string): void;
  certificateExpires(certificate: 'serving' | 'ca', at: Date): void;
  /** Kinds that injectors match; all others count as `other`, so that callers cannot grow the label set. */
  knowKinds(kinds: Iterable<string>): void;
}

const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const REVIEW_LABELS = ['injector', 'verdict', 'operation', 'kind'] as const;

const MOST_KINDS = 200;

export function createMetrics(kinds: Iterable<string>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  let inFlight = () => 0;
  const labels = new Set(kinds);
  const kindLabel = (name: string) => {
    // Without client certificates anybody can send reviews of any kind.
    if (labels.has('*') && labels.size < MOST_KINDS && name.length <= 63) labels.add(name);
    return labels.has(name) ? name : 'other';
  };

  const reviews = createTally(REVIEW_LABELS);
  new Counter({
    name: 'podgraft_reviews_total',
    help: 'Reviews by injector and decision',
    labelNames: REVIEW_LABELS,
    registers,
    collect() {
      reviews.moveTo(this);
    },
  });
  const durations = new Histogram({
    name: 'podgraft_review_duration_seconds',
    help: 'Time from the headers of a request to its answer',
    labelNames: ['path'] as const,
    buckets: BUCKETS,
    registers,
  });
  for (const path of ['/mutate', '/validate']) durations.zero({ path });
  new Gauge({
    name: 'podgraft_reviews_in_flight',
    help: 'Reviews under way',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  const patchOperations = new Counter({
    name: 'podgraft_patch_operations_total',
    help: 'JSON Patch operations sent',
    registers,
  });
  const rejections = new Counter({
    name: 'podgraft_rejected_requests_total',
    help: 'Requests answered without an AdmissionReview, by reason and, if an injector failed, its name',
    labelNames: ['reason', 'injector'] as const,
    registers,
  });
  const expiry = new Gauge({
    name: 'podgraft_certificate_expiry_timestamp_seconds',
    aggregator: 'min',
    help: 'When a certificate expires, in seconds since 1970',
    labelNames: ['certificate'] as const,
    registers,
  });

  return {
    registry,
    watchInFlight(count) {
      inFlight = count;
    },
    reviewed(path, { operation, kind: { kind: name } }, trace, operations, seconds) {
      const kind = kindLabel(name);
      for (const { injector, decision, round } of trace) {
        if (round === 1) reviews.add({ injector, verdict: decision, operation, kind });
      }
      patchOperations.inc(operations);
      durations.observe({ path }, seconds);
    },
    rejected: (reason, injector) =>
      rejections.inc(injector === undefined ? { reason } : { reason, injector }),
    knowKinds(more) {
      for (const kind of more) labels.add(kind);
    },
    certificateExpires: (certificate, at) => expiry.set({ certificate }, at.getTime() / 1000),
  };
}
