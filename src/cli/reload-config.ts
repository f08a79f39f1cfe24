import { setTimeout as sleep } from 'node:timers/promises';
import { configFiles } from '../config/config-files.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { forgetModules } from '../config/load-module.ts';
import { contentDigest } from '../files/content-digest.ts';
import { readManifests, watchedManifests } from '../files/read-manifests.ts';
import { watchContent } from '../files/watch-content.ts';
import { missingRules } from '../manifests/missing-rules.ts';
import type { Log } from '../server/log.ts';
import type { ReloadMetrics } from '../server/metrics/reload-metrics.ts';
import type { Views } from './open-views.ts';

/** A configuration with everything that it reads. */
export interface Loaded {
  readonly config: Config;
  readonly views: Views;
}

export interface ConfigPaths {
  readonly config: string;
  /** Files with objects of the cluster. */
  readonly cluster: readonly string[];
}

export interface ReloadOptions extends ConfigPaths {
  /** The digest of the watched files before the first configuration was loaded. */
  readonly since: string;
  readonly log: Log;
  readonly metrics: ReloadMetrics;
  /** Opens what a configuration reads. */
  readonly open: (config: Config, previous: Views) => Views;
  /** Makes it the one in force. */
  readonly use: (loaded: Loaded) => void;
  /** Reports a change outside of the log. */
  readonly notify: (result: 'accepted' | 'rejected', message: string) => void;
}

export interface Reloading {
  /** Why the configuration on disk is not in force, or not fully; for readiness. */
  problems(): readonly string[];
  stop(): void;
}

/** After this, objects that are still not listed are reported. */
const LIST_MS = 10_000;
/** Reviews that wait for an object still use the views of the old configuration. The API server waits up to 30 s for them. */
const LINGER_MS = 30_000;
const LOOK_MS = 250;

/**
 * Follows the files of the configuration. A change takes effect as a whole, after it has been loaded, checked, and the objects that
 * it reads have been listed. Until then the configuration in force stays.
 */
export function followConfig(started: Loaded, options: ReloadOptions): Reloading {
  const { log, metrics, notify } = options;
  let current = started;
  let problems: readonly string[] = [];
  let isStopped = false;

  async function reload(isCurrent: () => boolean): Promise<void> {
    // A module may throw anything.
    const next = await load(options, current).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (typeof next === 'string') {
      // The files may have been in the middle of a change. The watch calls again.
      if (isCurrent()) reject(next);
      return;
    }
    if (!(await isListed(next.views, isCurrent))) return next.views.stop(current.views);
    const previous = current.views;
    current = next;
    options.use(next);
    setTimeout(() => previous.stop(next.views), LINGER_MS).unref();
    accept(next);
  }

  /** Waits for as long as it takes: permissions may be granted later. False if the files have changed again. */
  async function isListed(views: Views, isCurrent: () => boolean): Promise<boolean> {
    let isReported = false;
    const start = performance.now();
    while (!isStopped && isCurrent()) {
      const missing = views.notReady();
      if (missing.length === 0) return true;
      if (!isReported && performance.now() - start > LIST_MS) {
        isReported = true;
        reject(
          `it reads objects that cannot be listed: ${missing.join('; ')}. For permissions, apply the output of ${manifestsCommand(options)}`,
        );
      }
      await sleep(LOOK_MS, undefined, { ref: false });
    }
    return false;
  }

  function accept({ config }: Loaded): void {
    for (const warning of config.warnings) log.warn({}, warning);
    const missing = missingRules(started.config.pipeline, config.pipeline);
    problems =
      missing.length === 0
        ? []
        : [
            `configuration: the webhook was not registered for ${missing.join(', ')}; apply the output of ${manifestsCommand(options)}`,
          ];
    metrics.reloaded('accepted');
    log.info({ injectors: config.pipeline.stages.map(({ name }) => name) }, 'configuration reloaded');
    for (const problem of problems) log.warn({ missing }, problem);
    notify('accepted', problems[0] ?? 'configuration reloaded');
  }

  function reject(reason: string): void {
    problems = [`configuration not reloaded, the previous one stays in force: ${reason}`];
    metrics.reloaded('rejected');
    log.error({ error: reason }, 'configuration not reloaded, the previous one stays in force');
    notify('rejected', problems[0] ?? reason);
  }

  const watch = watchContent({
    files: () => watchedFiles(options),
    since: options.since,
    onChange: reload,
  });
  return {
    problems: () => problems,
    stop() {
      isStopped = true;
      watch.stop();
      current.views.stop();
    },
  };
}

async function load(options: ReloadOptions, { views: previous }: Loaded): Promise<Loaded> {
  forgetModules();
  const config = await loadConfig(options.config, readManifests(options.cluster));
  return { config, views: options.open(config, previous) };
}

function manifestsCommand({ config }: ReloadOptions): string {
  return `\`podgraft manifests --config ${config}\``;
}

/** The digest of all files that followConfig watches. */
export function configDigest(paths: ConfigPaths): string {
  return contentDigest(watchedFiles(paths));
}

function watchedFiles({ config, cluster }: ConfigPaths): readonly string[] {
  return [...configFiles(config), ...cluster.flatMap(watchedManifests)];
}
