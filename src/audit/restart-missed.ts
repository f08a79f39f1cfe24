import { createHash } from 'node:crypto';
import { isRefusal } from '../cluster/client/api-error.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import type { Clock } from '../cluster/clock.ts';
import { postEvent } from '../cluster/post-event.ts';
import type { Operation } from '../json/operation.ts';
import { pointer } from '../json/pointer.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ObjectRef } from '../sdk/reads.ts';
import type { AuditLogger } from './audit-logger.ts';
import type { Finding } from './finding.ts';
import { blockingBudget, cannotRestart, isRolledOut, templateAnnotations } from './rollout-state.ts';

export interface RestartOptions {
  readonly client: KubeClient;
  /** Of the configuration in force, by the injector's name. */
  readonly fingerprints: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly log: AuditLogger;
  readonly onRestart: () => void;
}

/** As `kubectl rollout restart` sets it. */
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';
/** When a workload was restarted last, and the reasons for which it has been restarted, as short hashes. */
const RESTARTED_FOR = 'podgraft.dev/restarted-for';
const MOST_REASONS = 10;

/** At most one restart in this time. */
const PAUSE_MS = 30_000;
const LOOK_MS = 5_000;
/** A rollout that takes longer ends the restarts until the next audit: something is wrong. */
const ROLLOUT_MS = 10 * 60_000;

/**
 * Restarts workloads whose Pods lack injections, one after the other: the next one follows when all Pods of the last one are
 * available. Never bare Pods or Jobs, never against a PodDisruptionBudget, never twice for the same reason: only Pods that are younger
 * than the rollout of the last restart show that it has helped and something happened again.
 */
export async function restartMissed(
  findings: readonly Finding[],
  options: RestartOptions,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = options;
  for (const missed of byWorkload(findings)) {
    if (signal.aborted) return;
    const target = targetOf(missed);
    try {
      const skipped = await restart(target, missed, options);
      if (skipped !== undefined) {
        log.info({ ...nameOf(target), reason: skipped }, 'workload not restarted');
        continue;
      }
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      log.warn({ ...nameOf(target), error: error.message }, 'cannot restart workload');
      continue;
    }
    if (!(await rollsOut(target, options, signal))) {
      log.warn(nameOf(target), 'restarted workload does not become available, no further restarts for now');
      return;
    }
    await clock.sleep(PAUSE_MS, signal);
  }
}

const RESTARTABLE = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** Findings of the workloads that can be restarted, each in one list. */
function byWorkload(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { namespace, workload } = finding;
    if (workload.apiVersion !== 'apps/v1' || !RESTARTABLE.has(workload.kind)) continue;
    const key = JSON.stringify([namespace, workload.kind, workload.name]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

function targetOf([first]: readonly Finding[]): ObjectRef {
  const { namespace = '', workload } = first ?? {};
  return { ref: builtin(workload?.kind ?? ''), namespace, name: workload?.name ?? '' };
}

function nameOf({ ref, namespace, name }: ObjectRef): object {
  return { kind: ref.kind, namespace, name };
}

/** Returns the reason if it does not restart the workload. */
async function restart(
  target: ObjectRef,
  findings: readonly Finding[],
  { client, fingerprints, clock, onRestart, log }: RestartOptions,
): Promise<string | undefined> {
  const workload = await client.get(target);
  if (workload === undefined) return 'it no longer exists';
  const annotations = templateAnnotations(workload);
  const known = annotations?.[RESTARTED_FOR]?.split(' ') ?? [];
  const reasons = findings.map(({ injector, reason }) =>
    shortHash(`${injector}=${fingerprints.get(injector)} ${reason}`),
  );
  const isKnown = reasons.every((reason) => known.includes(reason));
  if (isKnown && !happenedAgain(findings, known)) return 'it was restarted for the same reason before';
  const obstacle =
    cannotRestart(workload) ?? (await blockingBudget(client, target.namespace ?? '', workload));
  if (obstacle !== undefined) return obstacle;

  const now = clock.now();
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const earlier = known.filter((each) => !isTime(each));
  const wanted = {
    [RESTARTED_AT]: time,
    [RESTARTED_FOR]: [time, ...[...new Set([...earlier, ...reasons])].slice(-MOST_REASONS)].join(' '),
  };
  try {
    await client.patch(target, annotate(workload, annotations, wanted));
  } catch (error) {
    if (isRefusal(error, 'Conflict')) return 'it was changed at the same time';
    throw error;
  }
  onRestart();
  log.info({ ...nameOf(target), injectors: findings.map(({ injector }) => injector) }, 'workload restarted');
  await tell(client, target, workload, findings, now);
  return undefined;
}

/**
 * Whether all Pods were created after the rollout of the last restart. If that restart did not help, Pods of its rollout are among them.
 */
function happenedAgain(findings: readonly Finding[], known: readonly string[]): boolean {
  const restarted = known.find(isTime);
  if (restarted === undefined) return false;
  const end = Date.parse(restarted) + ROLLOUT_MS;
  return findings.every(({ since }) => since !== undefined && Date.parse(since) > end);
}

function isTime(text: string): boolean {
  return text.endsWith('Z');
}

function annotate(
  workload: KubeObject,
  annotations: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>>,
): Operation[] {
  const path = ['spec', 'template', 'metadata', 'annotations'];
  // Refused with `Conflict` if it has changed since it was read.
  const version = workload.metadata.resourceVersion ?? '';
  const asRead: Operation = { op: 'replace', path: '/metadata/resourceVersion', value: version };
  if (annotations === undefined) return [asRead, { op: 'add', path: pointer(path), value: { ...wanted } }];
  const entries = Object.entries(wanted);
  return [
    asRead,
    ...entries.map(([key, value]): Operation => ({ op: 'add', path: pointer([...path, key]), value })),
  ];
}

async function tell(
  client: KubeClient,
  { ref, namespace = '', name }: ObjectRef,
  workload: KubeObject,
  findings: readonly Finding[],
  now: Date,
): Promise<void> {
  const uid = (workload.metadata as { uid?: string }).uid;
  const about = { apiVersion: 'apps/v1', kind: ref.kind, namespace, name, ...(uid !== undefined && { uid }) };
  const injectors = findings.map(({ injector }) => injector).join(', ');
  const message = `restarted, because running Pods lack what these injectors add: ${injectors}`;
  await postEvent(client, { about, type: 'Normal', reason: 'RestartedForInjection', message }, now).catch(
    // The restart itself has succeeded.
    () => {},
  );
}

async function rollsOut(
  target: ObjectRef,
  { client, clock }: RestartOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const start = clock.uptime();
  while (!signal.aborted && clock.uptime() - start < ROLLOUT_MS) {
    await clock.sleep(LOOK_MS, signal);
    const workload = await client.get(target).catch(() => undefined);
    if (workload !== undefined && isRolledOut(workload)) return true;
  }
  return signal.aborted;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
