import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Log } from './log.ts';
import type { KeyPair, TlsSource } from './tls-source.ts';

/** What the primary tells its workers: the certificate, when they ask for it and whenever it changes. */
type Message = { readonly tls: KeyPair };
/** A worker asks once it listens for the answer: what is sent to it before that is lost. */
const ASK_FOR_TLS = 'podgraft:tls?';

export interface Workers {
  notReady(): readonly string[];
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
  const listening = new Set<Worker>();
  let pair = tls?.initial;
  let stopping = false;

  const start = () => {
    const worker = cluster.fork();
    worker.on('message', (message) => {
      if (message === ASK_FOR_TLS && pair) worker.send({ tls: pair } satisfies Message);
    });
    worker.on('listening', () => listening.add(worker));
    worker.on('exit', (code, signal) => {
      listening.delete(worker);
      if (stopping) return;
      log.error({ pid: worker.process.pid, code, signal }, 'worker ended, starting another');
      setTimeout(start, RESTART_MS);
    });
  };
  for (let index = 0; index < count; index++) start();
  const stopTls = tls?.onChange(
    (next) => {
      pair = next;
      for (const worker of Object.values(cluster.workers ?? {}))
        worker?.send({ tls: next } satisfies Message);
    },
    (error) => log.error({ error: error.message }, 'certificate not reloaded, the old one stays in use'),
  );

  return {
    metricsContentType: registry.contentType,
    metrics: () => registry.clusterMetrics(),
    notReady: () => {
      if (stopping) return ['shutting down'];
      return listening.size === count ? [] : [`${listening.size} of ${count} workers are listening`];
    },
    async stop() {
      stopping = true;
      stopTls?.();
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(
        workers.map((worker) => {
          const gone = new Promise((resolve) => worker.once('exit', resolve));
          worker.process.kill('SIGTERM');
          return gone;
        }),
      );
    },
  };
}

/** A worker's certificate: what the primary sends. */
export async function tlsFromPrimary(): Promise<TlsSource> {
  const initial = await new Promise<KeyPair>((resolve) => {
    const stop = listenForPair((pair) => {
      stop();
      resolve(pair);
    });
    process.send?.(ASK_FOR_TLS);
  });
  return { initial, onChange: listenForPair };
}

function listenForPair(accept: (pair: KeyPair) => void): () => void {
  // prom-client sends messages of its own.
  const listen = (message: unknown) => {
    const pair = (message as Partial<Message>).tls;
    if (pair !== undefined) accept(pair);
  };
  process.on('message', listen);
  return () => process.off('message', listen);
}

/** Lets the primary collect this worker's metrics. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  new AggregatorRegistry();
}
