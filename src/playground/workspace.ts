import { resolve } from 'node:path';
import type { CallWebhook } from '../chain/call-webhook.ts';
import { configFiles } from '../config/config-files.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { forgetModules } from '../config/load-module.ts';
import { contentDigest } from '../files/content-digest.ts';
import { readManifests, watchedManifests } from '../files/read-manifests.ts';
import { watchContent } from '../files/watch-content.ts';
import { type WatchedFiles, watchFiles } from '../files/watched-files.ts';
import type { JsonObject } from '../json/json.ts';
import { asJson } from '../kube/kube-object.ts';
import type { FindingsOf } from '../page/chain-stops.ts';
import { fileSources } from '../pipeline/pipeline.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { type OwnAddress, ownConfigurations } from './own-configurations.ts';
import { verifyFindings } from './verify-findings.ts';

export interface WorkspaceOptions {
  /** The configuration of podgraft. */
  readonly config: string;
  /** Files and folders with objects of the cluster. */
  readonly cluster: readonly string[];
  /** Files with webhook configurations of other servers. */
  readonly webhook: readonly string[];
  /** Reports of `podgraft verify -o json`. */
  readonly verified: readonly string[];
}

/** Everything a run depends on besides its text. */
export interface Snapshot {
  readonly config: Config;
  readonly files: WatchedFiles;
  readonly objects: readonly JsonObject[];
  /** Of podgraft, and of everyone else. */
  readonly own: readonly JsonObject[];
  readonly others: readonly JsonObject[];
  /** What `verify` has found. */
  readonly verified: FindingsOf;
}

export interface Workspace {
  /** The last one without an error. */
  current(): Snapshot;
  /** Why the current files do not take effect. */
  error(): string | undefined;
  stop(): void;
}

/** A placeholder address: calls to it never reach the network. */
export const IN_PROCESS: OwnAddress = { url: 'https://podgraft.localhost', caBundle: undefined };

/** Follows the files of the playground. Throws if they are wrong at the start; later, the last good ones stay in effect. */
export async function openWorkspace(
  options: WorkspaceOptions,
  onChange: (snapshot: Snapshot) => void,
): Promise<Workspace> {
  // Before they are read, so that no change is missed.
  const since = contentDigest(filesOf(options));
  let snapshot = await load(options);
  let error: string | undefined;
  const watched = watchContent({
    files: () => filesOf(options),
    since,
    pollEvery: 2_000,
    settle: 50,
    async onChange() {
      try {
        const next = await load(options);
        snapshot.files.stop();
        snapshot = next;
        error = undefined;
      } catch (cause) {
        error = cause instanceof Error ? cause.message : String(cause);
      }
      onChange(snapshot);
    },
  });
  return {
    current: () => snapshot,
    error: () => error,
    stop() {
      watched.stop();
      snapshot.files.stop();
    },
  };
}

async function load({
  config: file,
  cluster: paths,
  webhook,
  verified,
}: WorkspaceOptions): Promise<Snapshot> {
  forgetModules();
  const manifests = readManifests([...paths, ...webhook]);
  const config = await loadConfig(file, manifests);
  const objects = manifests.map(asJson);
  const others = objects.filter(isConfiguration);
  const own = ownConfigurations(config.pipeline, IN_PROCESS);
  if (others.length > 0) await checkConfigurations(others);
  const files = watchFiles(fileSources(config.pipeline), { onInvalid: () => {} });
  const findings = verifyFindings(verified);
  return { config, files, objects, own, others: withoutOwn(others, own), verified: findings };
}

/** Whether an object is a webhook configuration, a policy or a binding. */
export function isConfiguration({ apiVersion }: JsonObject): boolean {
  return String(apiVersion).startsWith('admissionregistration.k8s.io/');
}

/** Loaded only if there are any: the compiler of expressions takes time to load. */
async function checkConfigurations(configurations: readonly JsonObject[]): Promise<void> {
  const { configurationProblems } = await import('../chain/configuration-problems.ts');
  const [problem] = configurations.flatMap((object) => configurationProblems(object) ?? []);
  if (problem !== undefined) throw new PodgraftError('CLUSTER_FILE_INVALID', problem.message);
}

/** The files of a cluster may include podgraft's own webhook: this one replaces it. */
function withoutOwn(others: readonly JsonObject[], own: readonly JsonObject[]): JsonObject[] {
  const titles = new Set(own.map(titleOf));
  return others.filter((object) => !titles.has(titleOf(object)));
}

function titleOf({ kind, metadata }: JsonObject): string {
  return `${String(kind)}/${String((metadata as JsonObject | undefined)?.name)}`;
}

function filesOf({ config, cluster, webhook, verified }: WorkspaceOptions): string[] {
  const objects = [...cluster, ...webhook].map((path) => resolve(path)).flatMap(watchedManifests);
  return [...configFiles(config), ...objects, ...verified.map((path) => resolve(path))];
}

/** Routes a call to podgraft's own webhook, or to another one. */
export function callByOwner(own: CallWebhook, others: CallWebhook): CallWebhook {
  const { origin } = new URL(IN_PROCESS.url);
  return (webhook, review, timeoutMs) =>
    (new URL(webhook.url).origin === origin ? own : others)(webhook, review, timeoutMs);
}
