import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { type Config, loadConfig } from '../config/load-config.ts';
import { createLog, type Log } from '../server/log.ts';
import { createMetrics } from '../server/metrics.ts';
import { runWorkers, shareMetrics } from '../server/run-workers.ts';
import { startMetrics } from '../server/start-metrics.ts';
import { startServer } from '../server/start-server.ts';
import type { TlsSource } from '../server/tls-source.ts';
import { exposeView } from '../server/view-metrics.ts';
import { watchProblems } from '../server/watch-problems.ts';
import { shareHealth } from '../server/worker-health.ts';
import { tlsFromPrimary } from '../server/worker-tls.ts';
import { type ConnectOptions, connect, type Home } from './connect.ts';
import { stopSignal } from './stop-signal.ts';
import { type TlsOptions, tlsFor } from './tls-for.ts';
import { openWorld } from './world.ts';

export interface ServeOptions extends TlsOptions, ConnectOptions {
  readonly config: string;
  readonly cluster: readonly string[];
  readonly port: number;
  readonly metricsPort: number;
  readonly tlsMinVersion: '1.2' | '1.3';
  readonly clientCa?: string;
  readonly clientName: string;
  readonly workers: number;
  readonly drainDelay: number;
  readonly logLevel: string;
}

/** Runs the server until SIGTERM or SIGINT; returns when all reviews under way have been answered. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = createLog(options.logLevel);
  const config = await loadConfig(options.config);
  const home = connect(options);
  if (!cluster.isPrimary) {
    const given = options.http ? undefined : await tlsFromPrimary();
    return serveAlone(options, config, home, given, log);
  }
  const tls = await tlsFor(options, home, log);
  return options.workers > 1 ? serveTogether(options, tls, log) : serveAlone(options, config, home, tls, log);
}

async function serveAlone(
  options: ServeOptions,
  config: Config,
  home: Home | undefined,
  tls: TlsSource | undefined,
  log: Log,
): Promise<void> {
  const { pipeline, validate } = config;
  const metrics = createMetrics(kindsOf(config));
  const world = openWorld(options.cluster, home, pipeline, log);
  if (world.liveView) exposeView(world.liveView, metrics.registry);
  const watch = watchProblems({ ...world, pipeline }, metrics.registry, log);
  const server = await startServer({
    ...world,
    problems: watch.problems,
    pipeline,
    metrics,
    log,
    finalCheck: validate,
    port: options.port,
    tlsMinVersion: `TLSv${options.tlsMinVersion}`,
    ...(options.host && { host: options.host }),
    ...(tls && { tls }),
    ...(options.clientCa && {
      clientCa: { pem: await readFile(options.clientCa, 'utf8'), commonName: options.clientName },
    }),
  });
  const health = { notReady: server.notReady, problems: watch.problems };
  // The primary offers the metrics and the health of its workers; a process of its own offers them itself.
  if (!cluster.isPrimary) shareMetrics(metrics.registry);
  const stopSharing = cluster.isPrimary ? undefined : shareHealth(health);
  const monitoring = cluster.isPrimary
    ? await startMetrics({
        port: options.metricsPort,
        ...(options.http && { host: '127.0.0.1' }),
        contentType: metrics.registry.contentType,
        metrics: () => metrics.registry.metrics(),
        ...health,
      })
    : undefined;
  log.info({ port: server.port, metricsPort: monitoring?.port, tls: tls !== undefined }, 'listening');

  await stopSignal();
  log.info({}, 'shutting down');
  await server.drain(options.drainDelay * 1000);
  world.stop();
  watch.stop();
  stopSharing?.();
  monitoring?.close();
  cluster.worker?.disconnect();
}

async function serveTogether(options: ServeOptions, tls: TlsSource | undefined, log: Log): Promise<void> {
  const workers = runWorkers(options.workers, tls, log);
  const monitoring = await startMetrics({
    port: options.metricsPort,
    ...(options.http && { host: '127.0.0.1' }),
    contentType: workers.metricsContentType,
    metrics: workers.metrics,
    notReady: workers.notReady,
    problems: workers.problems,
  });
  log.info(
    { port: options.port, metricsPort: monitoring.port, workers: options.workers },
    'starting workers',
  );

  const failed = workers.failed.then(() => {
    process.exitCode = 1;
  });
  await Promise.race([stopSignal(), failed]);
  log.info({}, 'shutting down');
  await workers.stop();
  monitoring.close();
}

function kindsOf({ pipeline }: Config): ReadonlySet<string> {
  return new Set(
    pipeline.stages.flatMap(({ match }) => match.kinds.map((kind) => (kind === '*' ? '*' : kind.kind))),
  );
}
