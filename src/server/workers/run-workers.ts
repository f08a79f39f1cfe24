import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { RecordedDecision } from '../../page/decision.ts';
import type { Health } from '../health.ts';
import type { Log } from '../log.ts';
import { exposeWorkerEnds } from '../metrics/worker-metrics.ts';
import type { TlsSource } from '../tls-source.ts';
import { BLOCKED_EXIT_CODE } from '../watchdog/watchdog-protocol.ts';
import { healthIn, type WorkerHealth } from './worker-health.ts';
import { isTlsRequest, type TlsMessage } from './worker-tls.ts';

export interface Workers extends Required<Health> {
  /** Resolves if a worker ends before any has listened: a restarted one would fail in the same way. */
  readonly failed: Promise<void>;
  /** The aggregated metrics of all workers. */
  metrics(): Promise<string>;
  readonly metricsContentType: string;
  /** Drains all workers; resolves when they have ended. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;

/** Runs worker processes that share the port, and restarts them. Only the primary reads certificates. */
export function runWorkers(
  count: number,
  tls: TlsSource | undefined,
  log: Log,
  onDecision?: (decision: RecordedDecision) => void,
): Workers {
  const registry = new AggregatorRegistry();
  const own = new Registry();
  const ended = exposeWorkerEnds(own);
  /** By listening worker. */
  const healths = new Map<Worker, WorkerHealth>();
  let pair = tls?.initial;
  let haveListened = false;
  let stopping = false;
  let fail = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const tlsMessage = (): TlsMessage | undefined =>
    pair && { tls: pair, ...(tls?.caExpires && { caExpires: tls.caExpires().getTime() }) };

  const start = () => {
    if (stopping) return;
    const worker = cluster.fork();
    worker.on('message', (message) => {
      if (isTlsRequest(message)) worker.send(tlsMessage() ?? {});
      const decision = decisionIn(message);
      if (decision !== undefined) onDecision?.(decision);
      const health = healthIn(message);
      if (health === undefined) return;
      haveListened = true;
      healths.set(worker, health);
    });
    worker.on('exit', (code, signal) => {
      healths.delete(worker);
      if (stopping) return;
      const reason = code === BLOCKED_EXIT_CODE ? 'blocked' : signal === null ? 'error' : 'signal';
      ended(reason);
      log.error({ pid: worker.process.pid, code, signal, reason }, 'worker ended');
      if (haveListened) setTimeout(start, RESTART_MS);
      else fail();
    });
  };
  for (let index = 0; index < count; index++) start();
  const stopTls = tls?.onChange(
    (next) => {
      pair = next;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.send(tlsMessage() ?? {});
    },
    (error) => log.error({ error: error.message }, 'certificate not reloaded, the old one stays in use'),
  );
  const union = (field: keyof WorkerHealth) => [
    ...new Set([...healths.values()].flatMap((health) => health[field])),
  ];

  return {
    failed,
    metricsContentType: registry.contentType,
    metrics: async () => `${(await registry.clusterMetrics()).trimEnd()}\n\n${await own.metrics()}`,
    notReady: () => {
      if (stopping) return ['shutting down'];
      const missing = healths.size === count ? [] : [`${healths.size} of ${count} workers are listening`];
      return [...missing, ...union('notReady')];
    },
    problems: () => union('problems'),
    async stop() {
      stopping = true;
      stopTls?.();
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false);
      await Promise.all(
        workers.map((worker) => {
          const gone = new Promise((resolve) => worker?.once('exit', resolve));
          worker?.process.kill('SIGTERM');
          return gone;
        }),
      );
    },
  };
}

/** Sends a decision of this worker to the primary, which has the page. */
export function shareDecision(decision: RecordedDecision): void {
  if (process.connected) process.send?.({ decision });
}

function decisionIn(message: unknown): RecordedDecision | undefined {
  return (message as { decision?: RecordedDecision } | null)?.decision;
}

/** Lets the primary collect this worker's metrics. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}
