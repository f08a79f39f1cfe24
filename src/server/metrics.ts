import { Counter, Gauge, Registry } from 'prom-client';
import type { Step } from '../pipeline/trace.ts';
import type { Request } from '../sdk/request.ts';
import { tallyHistogram } from './tally.ts';

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
  /** Reviews being answered: the handler counts up, whoever gives the answer counts down. */
  inFlight: number;
  /** Counts one answered review; `seconds` is from the head of the request to its answer. */
  reviewed(
    path: ReviewPath,
    request: Request,
    trace: readonly Step[],
    operations: number,
    seconds: number,
  ): void;
  rejected(reason: RejectReason): void;
  certificateExpires(certificate: 'serving' | 'ca', at: Date): void;
}

export type ReviewPath = '/mutate' | '/validate';

const BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `kinds` are those the injectors are for: any other counts as `other`, so that no sender can grow the label set. */
export function createMetrics(kinds: ReadonlySet<string>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const tallies: Tallies = new Map();
  let operationsTotal = 0;

  new Counter({
    name: 'podgraft_reviews_total',
    help: 'Reviews by injector and what it decided',
    labelNames: ['injector', 'verdict', 'operation', 'kind'] as const,
    registers,
    collect() {
      this.reset();
      for (const { labels, count } of [...tallies.values()].flat()) this.inc(labels, count);
    },
  });
  const duration = tallyHistogram(registry, {
    name: 'podgraft_review_duration_seconds',
    help: 'Time from the head of a request to its answer',
    label: 'path',
    buckets: BUCKETS,
  });
  const durations = { '/mutate': duration('/mutate'), '/validate': duration('/validate') };
  new Gauge({
    name: 'podgraft_reviews_in_flight',
    help: 'Reviews being answered',
    registers,
    collect() {
      this.set(metrics.inFlight);
    },
  });
  new Counter({
    name: 'podgraft_patch_operations_total',
    help: 'JSON Patch operations sent',
    registers,
    collect() {
      this.reset();
      this.inc(operationsTotal);
    },
  });
  const rejections = new Counter({
    name: 'podgraft_rejected_requests_total',
    help: 'Requests that were not answered with a verdict, by reason',
    labelNames: ['reason'] as const,
    registers,
  });
  const expiry = new Gauge({
    name: 'podgraft_certificate_expiry_timestamp_seconds',
    aggregator: 'min',
    help: 'When a certificate expires, in seconds since 1970',
    labelNames: ['certificate'] as const,
    registers,
  });

  const metrics: Metrics = {
    registry,
    inFlight: 0,
    reviewed(path, request, trace, operations, seconds) {
      const kind = kinds.has(request.kind.kind) || kinds.has('*') ? request.kind.kind : 'other';
      for (const step of trace) {
        if (step.round > 1) continue;
        tallyOf(tallies, step.injector, step.decision, request.operation, kind).count++;
      }
      operationsTotal += operations;
      durations[path].observe(seconds);
    },
    rejected: (reason) => rejections.inc({ reason }),
    certificateExpires: (certificate, at) => expiry.set({ certificate }, at.getTime() / 1000),
  };
  return metrics;
}

interface Tally {
  readonly labels: {
    readonly injector: string;
    readonly verdict: string;
    readonly operation: string;
    readonly kind: string;
  };
  count: number;
}

/** By injector, then by looking: there are few of each, and one key made of four labels would cost more than all the counting. */
type Tallies = Map<string, Tally[]>;

function tallyOf(
  tallies: Tallies,
  injector: string,
  verdict: string,
  operation: string,
  kind: string,
): Tally {
  let own = tallies.get(injector);
  if (own === undefined) {
    own = [];
    tallies.set(injector, own);
  }
  for (const tally of own) {
    const { labels } = tally;
    if (labels.verdict === verdict && labels.kind === kind && labels.operation === operation) return tally;
  }
  const tally = { labels: { injector, verdict, operation, kind }, count: 0 };
  own.push(tally);
  return tally;
}
