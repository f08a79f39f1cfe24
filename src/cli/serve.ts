import cluster from 'node:cluster';
import { loadConfig } from '../config/load-config.ts';
import { readManifests } from '../files/read-manifests.ts';
import { createLog, type Log } from '../server/log.ts';
import { startMetrics } from '../server/metrics/start-metrics.ts';
import type { TlsSource } from '../server/tls-source.ts';
import { runWorkers } from '../server/workers/run-workers.ts';
import { tlsFromPrimary } from '../server/workers/worker-tls.ts';
import { checkClusterFlags } from './cluster-flags.ts';
import { openPage } from './open-page.ts';
import { openTls } from './open-tls.ts';
import { connect, openViews } from './open-views.ts';
import { configDigest } from './reload-config.ts';
import { runServer } from './run-server.ts';
import { metricsAddress, type ServeOptions } from './serve-options.ts';
import { stopSignal } from './stop-signal.ts';

/** Runs the server until SIGTERM or SIGINT. Returns after all reviews in progress have been answered. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = createLog(options.logLevel);
  const since = configDigest(options);
  const config = await loadConfig(options.config, readManifests(options.cluster));
  // Only once, not in each worker.
  if (cluster.isPrimary) for (const warning of config.warnings) log.warn({}, warning);
  const connection = connect(options);
  checkClusterFlags(options, connection);
  const tls =
    cluster.isPrimary || options.http ? await openTls(options, connection, log) : await tlsFromPrimary();
  if (cluster.isPrimary && options.workers > 1) return runPrimary(options, tls, log);
  const views = openViews(options.cluster, connection, config.pipeline, log);
  return runServer({ ...options, since }, { config, views }, connection, tls, log);
}

async function runPrimary(options: ServeOptions, tls: TlsSource | undefined, log: Log): Promise<void> {
  const page = await openPage(options);
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
