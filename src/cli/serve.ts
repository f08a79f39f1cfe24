import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { createMark } from '../admission/mark.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { readManifests } from '../files/read-manifests.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { createLog, type Log } from '../server/log.ts';
import { createCaller } from '../server/make-calls.ts';
import { createMetrics } from '../server/metrics.ts';
import { createProgress } from '../server/progress.ts';
import { createRecorder } from '../server/record-decisions.ts';
import type { RequestsPage } from '../server/requests-page.ts';
import { runWorkers, shareDecision, shareMetrics } from '../server/run-workers.ts';
import { answerMonitoring, startMetrics } from '../server/start-metrics.ts';
import { startServer } from '../server/start-server.ts';
import { startWatchdog } from '../server/start-watchdog.ts';
import type { TlsSource } from '../server/tls-source.ts';
import { exposeView } from '../server/view-metrics.ts';
import { watchProblems } from '../server/watch-problems.ts';
import { shareHealth } from '../server/worker-health.ts';
import { tlsFromPrimary } from '../server/worker-tls.ts';
import { version } from '../version.ts';
import { openTls, type TlsOptions } from './open-tls.ts';
import { type ConnectOptions, connect, openViews, type Views } from './open-views.ts';

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
  readonly watchdog: number;
  readonly logLevel: string;
  /** Whether the metrics port shows the last decisions. */
  readonly page?: true;
}

/** Runs the server until SIGTERM or SIGINT. Returns after all reviews in progress have been answered. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = createLog(options.logLevel);
  const config = await loadConfig(options.config, readManifests(options.cluster));
  // Once, and not by each worker.
  if (cluster.isPrimary) for (const warning of config.warnings) log.warn({}, warning);
  const connection = connect(options);
  const tls =
    cluster.isPrimary || options.http ? await openTls(options, connection, log) : await tlsFromPrimary();
  if (cluster.isPrimary && options.workers > 1) return runPrimary(options, config, tls, log);
  const views = openViews(options.cluster, connection, config.pipeline, log);
  return runServer(options, config, views, tls, log);
}

/** A single process, or one of several workers. */
async function runServer(
  options: ServeOptions,
  { pipeline, validate, fingerprints }: Config,
  views: Views,
  tls: TlsSource | undefined,
  log: Log,
): Promise<void> {
  const kinds = pipeline.stages.flatMap(({ match }) => match.kinds);
  const metrics = createMetrics(new Set(kinds.map((kind) => (kind === '*' ? '*' : kind.kind))));
  if (views.liveView) exposeView(views.liveView, metrics.registry);
  const watch = watchProblems({ ...views, pipeline }, metrics.registry, log);
  const injectors = pipeline.stages.map(({ name }) => name);
  const progress = createProgress(injectors);
  const page = await openPage(options, pipeline);
  const server = await startServer({
    ...views,
    problems: watch.problems,
    call: createCaller(),
    pipeline,
    metrics,
    log,
    progress,
    finalCheck: validate,
    ...(page && { record: createRecorder(cluster.isPrimary ? page.keep : shareDecision) }),
    ...(options.validate && { mark: createMark(fingerprints) }),
    port: options.port,
    tlsMinVersion: `TLSv${options.tlsMinVersion}`,
    ...(options.host && { host: options.host }),
    ...(tls && { tls }),
    ...(options.clientCa && {
      clientCa: { pem: await readFile(options.clientCa, 'utf8'), commonName: options.clientName },
    }),
  });
  const health = { notReady: server.notReady, problems: watch.problems };
  const { contentType } = metrics.registry;
  const answer = answerMonitoring({ contentType, metrics: () => metrics.registry.metrics(), ...health });
  const watchdog = await startWatchdog({
    progress,
    injectors,
    blockedMs: options.watchdog * 1000,
    ...(cluster.isPrimary && {
      monitoring: { ...metricsAddress(options), answer, ...(page && { answerPage: page.answer }) },
    }),
  });
  page?.follow(watchdog.sendEvent);
  // The primary serves the metrics and the health of its workers.
  if (!cluster.isPrimary) shareMetrics(metrics.registry);
  const stopSharing = cluster.isPrimary ? undefined : shareHealth(health);
  log.info({ port: server.port, metricsPort: watchdog.metricsPort, tls: tls !== undefined }, 'listening');

  await stopSignal();
  log.info({}, 'shutting down');
  await server.drain(options.drainDelay * 1000);
  views.stop();
  watch.stop();
  stopSharing?.();
  watchdog.stop();
  cluster.worker?.disconnect();
}

async function runPrimary(
  options: ServeOptions,
  { pipeline }: Config,
  tls: TlsSource | undefined,
  log: Log,
): Promise<void> {
  const page = await openPage(options, pipeline);
  const port = page && (await import('../server/page-port.ts')).createPagePort(page.answer);
  if (port !== undefined) page?.follow(port.events.send);
  const workers = runWorkers(options.workers, tls, log, page?.keep);
  const monitoring = await startMetrics({
    ...metricsAddress(options),
    ...workers,
    ...(port && { page: port }),
    contentType: workers.metricsContentType,
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

/** Loaded only if it is wanted. */
async function openPage({ page }: ServeOptions, { stages }: Pipeline): Promise<RequestsPage | undefined> {
  if (page !== true) return undefined;
  const { createRequestsPage } = await import('../server/requests-page.ts');
  return createRequestsPage(stages, version());
}

function metricsAddress({ metricsPort, http }: ServeOptions) {
  return { port: metricsPort, ...(http && { host: '127.0.0.1' }) };
}

/**
 * Resolves at the first SIGTERM or SIGINT. A second one ends the process at once, except in a worker: a terminal signals it as
 * well as its primary, which ends it.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = () => {
      if (isStopping && cluster.isPrimary) process.exit(1);
      isStopping = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
