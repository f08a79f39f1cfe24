import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { createMark } from '../admission/mark.ts';
import type { Log } from '../server/log.ts';
import { createCaller } from '../server/make-calls.ts';
import { exposeAudits } from '../server/metrics/audit-metrics.ts';
import { createMetrics } from '../server/metrics/metrics.ts';
import { createRecorder } from '../server/metrics/record-decisions.ts';
import { exposeReloads } from '../server/metrics/reload-metrics.ts';
import { answerMonitoring } from '../server/metrics/start-metrics.ts';
import { exposeView } from '../server/metrics/view-metrics.ts';
import { watchProblems } from '../server/metrics/watch-problems.ts';
import type { Setup } from '../server/setup.ts';
import { startServer } from '../server/start-server.ts';
import type { TlsSource } from '../server/tls-source.ts';
import { createProgress } from '../server/watchdog/progress.ts';
import { startWatchdog } from '../server/watchdog/start-watchdog.ts';
import { shareDecision, shareMetrics } from '../server/workers/run-workers.ts';
import { shareHealth } from '../server/workers/worker-health.ts';
import { openPage } from './open-page.ts';
import { type Connection, openViews } from './open-views.ts';
import { ownEvents } from './own-events.ts';
import { followConfig, type Loaded, type Reloading } from './reload-config.ts';
import { metricsAddress, type ServeOptions } from './serve-options.ts';
import { stopSignal } from './stop-signal.ts';

/** A single process, or one of several workers. */
export async function runServer(
  options: ServeOptions & { readonly since: string },
  started: Loaded,
  connection: Connection | undefined,
  tls: TlsSource | undefined,
  log: Log,
): Promise<void> {
  let current = started;
  let injectors = namesIn(started);
  const metrics = createMetrics(kindsIn(started));
  const { live } = started.views;
  if (live) exposeView(() => (current.views.live ?? live).view, metrics.registry);
  const watch = watchProblems(
    () => ({ ...current.views, pipeline: current.config.pipeline }),
    metrics.registry,
    log,
  );
  const progress = createProgress(injectors);
  const notReady = () => current.views.notReady();
  let reloading: Reloading | undefined;
  const page = await openPage(options);
  const keep = cluster.isPrimary ? page?.keep : shareDecision;
  const problems = () => [...(reloading?.problems() ?? []), ...watch.problems()];
  const server = await startServer({
    ...setupOf(started, options),
    notReady,
    problems,
    call: createCaller(connection?.client),
    metrics,
    log,
    progress,
    ...(page && keep && { record: createRecorder(keep, () => current.config.pipeline.stages) }),
    port: options.port,
    tlsMinVersion: `TLSv${options.tlsMinVersion}`,
    ...(options.host && { host: options.host }),
    ...(tls && { tls }),
    ...(options.clientCa && {
      clientCa: { pem: await readFile(options.clientCa, 'utf8'), commonName: options.clientName },
    }),
  });
  const health = { notReady: server.notReady, problems };
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
  const post = ownEvents(connection, log);
  reloading = followConfig(started, {
    ...options,
    log,
    metrics: exposeReloads(metrics.registry),
    open: ({ pipeline }, previous) => openViews(options.cluster, connection, pipeline, log, previous),
    use(next) {
      current = next;
      injectors = [...new Set([...injectors, ...namesIn(next)])];
      watchdog.setInjectors(injectors);
      metrics.knowKinds(kindsIn(next));
      server.use(setupOf(next, options));
    },
    notify: (result, message) =>
      post(
        result === 'accepted'
          ? { type: 'Normal', reason: 'ConfigurationReloaded', message }
          : { type: 'Warning', reason: 'ConfigurationRejected', message },
      ),
  });
  const background = connection && (await startBackground(connection));
  // The primary serves the metrics and the health of its workers.
  if (!cluster.isPrimary) shareMetrics(metrics.registry);
  const stopSharing = cluster.isPrimary ? undefined : shareHealth(health);
  log.info({ port: server.port, metricsPort: watchdog.metricsPort, tls: tls !== undefined }, 'listening');

  await stopSignal();
  log.info({}, 'shutting down');
  await Promise.all([background?.stop(), server.drain(options.drainDelay * 1000)]);
  reloading.stop();
  watch.stop();
  stopSharing?.();
  watchdog.stop();
  cluster.worker?.disconnect();

  /** Loaded on demand, because few servers need it. */
  async function startBackground(connection: Connection) {
    const { auditInterval, manageWebhooks: hash } = options;
    const audits =
      auditInterval === undefined
        ? undefined
        : (await import('./start-audits.ts')).startAudits(options, {
            connection,
            current: () => current,
            metrics: exposeAudits(metrics.registry),
            log,
          });
    const webhooks =
      hash === undefined
        ? undefined
        : (await import('./manage-webhooks.ts')).manageWebhooks(
            { ...options, manageWebhooks: hash },
            connection,
            started,
            log,
          );
    return {
      async stop() {
        webhooks?.();
        await audits?.();
      },
    };
  }
}

function setupOf({ config, views }: Loaded, { validate }: ServeOptions): Setup {
  const { pipeline, validate: finalCheck, fingerprints } = config;
  return { ...views, pipeline, finalCheck, ...(validate && { mark: createMark(fingerprints) }) };
}

function namesIn({ config }: Loaded): readonly string[] {
  return config.pipeline.stages.map(({ name }) => name);
}

function kindsIn({ config }: Loaded): readonly string[] {
  const kinds = config.pipeline.stages.flatMap(({ match }) => match.kinds);
  return kinds.map((kind) => (kind === '*' ? '*' : kind.kind));
}
