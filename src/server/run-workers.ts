import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Log } from './log.ts';
import type { Health } from './plain-answers.ts';
import type { TlsSource } from './tls-source.ts';
import { healthIn, type WorkerHealth } from './worker-health.ts';
import { isAskedFor, type TlsMessage } from './worker-tls.ts';

export interface Workers extends Required<Health> {
  /** Resolves when one ends before any has listened: what kept it from starting would keep the next one too. */
  readonly failed: Promise<void>;
  /** The metrics of all workers, added up. */
  metrics(): Promise<string>;
  readonly metricsContentType: string;
  /** Lets every worker drain; resolves when all are gone. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;

/** Keeps a number of worker processes running that share the port. Only the primary reads certificates. */
export function runWorkers(count: number, tls: TlsSource | undefined, log: Log): Workers {
  const registry = new AggregatorRegistry();
  /** Of those that listen. */
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
      if (isAskedFor(message)) worker.send(tlsMessage() ?? {});
      const health = healthIn(message);
      if (health === undefined) return;
      haveListened = true;
      healths.set(worker, health);
    });
    worker.on('exit', (code, signal) => {
      healths.delete(worker);
      if (stopping) return;
      log.error({ pid: worker.process.pid, code, signal }, 'worker ended');
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
  const told = (what: keyof WorkerHealth) => [
    ...new Set([...healths.values()].flatMap((health) => health[what])),
  ];

  return {
    failed,
    metricsContentType: registry.contentType,
    metrics: () => registry.clusterMetrics(),
    notReady: () => {
      if (stopping) return ['shutting down'];
      const missing = healths.size === count ? [] : [`${healths.size} of ${count} workers are listening`];
      return [...missing, ...told('notReady')];
    },
    problems: () => told('problems'),
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

/** Lets the primary collect this worker's metrics. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}
