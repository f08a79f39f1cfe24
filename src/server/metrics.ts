import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Step } from '../pipeline/trace.ts';
import type { Request } from '../sdk/request.ts';

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
  /** Counts one answered review; `seconds` is from the first byte to the last. */
  reviewed(path: string, request: Request, trace: readonly Step[], operations: number, seconds: number): void;
  rejected(reason: RejectReason): void;
  readonly inFlight: Gauge;
  certificateExpires(certificate: 'serving' | 'ca', at: Date): void;
}

/** `kinds` are those the injectors are for: any other counts as `other`, so that no sender can grow the label set. */
export function createMetrics(kinds: ReadonlySet<string>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const reviews = new Counter({
    name: 'podgraft_reviews_total',
    help: 'Reviews by injector and what it decided',
    labelNames: ['injector', 'verdict', 'operation', 'kind'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'podgraft_review_duration_seconds',
    help: 'Time from the head of a request to its answer',
    labelNames: ['path'] as const,
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'podgraft_reviews_in_flight',
    help: 'Reviews being answered',
    registers,
  });
  const operationsTotal = new Counter({
    name: 'podgraft_patch_operations_total',
    help: 'JSON Patch operations sent',
    registers,
  });
  const rejections = new Counter({
    name: 'podgraft_rejected_requests_total',
    help: 'Requests that were not answered with a verdict, by reason',
    labelNames: ['reason'] as const,
    registers,
  });
  const expiry = new Gauge({
    name: 'podgraft_certificate_expiry_timestamp_seconds',
    help: 'When a certificate expires, in seconds since 1970',
    labelNames: ['certificate'] as const,
    registers,
  });

  // Looking up a child by its labels costs more than a review's merge; there are few, so keep them.
  const children = new Map<string, { inc(): void }>();
  const durations = new Map<string, { observe(value: number): void }>();

  return {
    registry,
    inFlight,
    reviewed(path, request, trace, operations, seconds) {
      const kind = kinds.has(request.kind.kind) || kinds.has('*') ? request.kind.kind : 'other';
      for (const step of trace) {
        if (step.round > 1) continue;
        const key = `${step.injector}\n${step.decision}\n${request.operation}\n${kind}`;
        let child = children.get(key);
        if (child === undefined) {
          child = reviews.labels(step.injector, step.decision, request.operation, kind);
          children.set(key, child);
        }
        child.inc();
      }
      if (operations > 0) operationsTotal.inc(operations);
      let observed = durations.get(path);
      if (observed === undefined) {
        observed = duration.labels(path);
        durations.set(path, observed);
      }
      observed.observe(seconds);
    },
    rejected: (reason) => rejections.inc({ reason }),
    certificateExpires: (certificate, at) => expiry.set({ certificate }, at.getTime() / 1000),
  };
}
