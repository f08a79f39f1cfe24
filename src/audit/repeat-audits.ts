import type { KubeClient } from '../cluster/client/client.ts';
import { type Clock, systemClock } from '../cluster/clock.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { type Audit, auditCluster } from './audit-cluster.ts';
import type { AuditLogger } from './audit-logger.ts';
import type { Installation } from './audit-pod.ts';
import type { Finding } from './finding.ts';
import { reportFindings } from './report-findings.ts';
import { restartMissed } from './restart-missed.ts';

export interface RepeatOptions {
  readonly client: KubeClient;
  readonly intervalMs: number;
  /** The setup in force. */
  readonly current: () => Promise<{ readonly cluster: ClusterView; readonly installation: Installation }>;
  /** Whether to restart workloads. */
  readonly restart: boolean;
  readonly metrics: AuditCounter;
  readonly log: AuditLogger;
  readonly clock?: Clock;
}

export interface AuditCounter {
  audited(result: 'complete' | 'incomplete', missed: readonly Finding[]): void;
  restarted(): void;
  forget(): void;
}

/** Small pages: parsing one blocks reviews. */
const PAGE = 100;

/** Audits all Pods again and again until the signal fires: metrics, Events and reports, and on request restarts. */
export async function repeatAudits(options: RepeatOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, intervalMs, metrics, log } = options;
  while (!signal.aborted) {
    await auditOnce(options, clock, signal).catch((error: unknown) =>
      log.warn({ error: String(error) }, 'audit failed'),
    );
    await clock.sleep(intervalMs, signal);
  }
  metrics.forget();
}

async function auditOnce(options: RepeatOptions, clock: Clock, signal: AbortSignal): Promise<void> {
  const { client, current, restart, metrics, log } = options;
  const { cluster, installation } = await current();
  const audit = await auditCluster({ client, cluster, installation, signal, pageSize: PAGE });
  if (signal.aborted) return;
  metrics.audited(audit.incomplete === undefined ? 'complete' : 'incomplete', audit.findings);
  logAudit(log, audit);
  await reportFindings(audit, { client, now: clock.now(), log });
  if (!restart) return;
  const { fingerprints } = installation;
  await restartMissed(
    audit.findings,
    { client, fingerprints, clock, log, onRestart: metrics.restarted },
    signal,
  );
}

function logAudit(log: AuditLogger, { pods, findings, errors, incomplete }: Audit): void {
  for (const error of errors) log.warn({ error }, 'cannot audit Pod');
  if (incomplete !== undefined) log.warn({ pods, error: incomplete }, 'audit ended early');
  const injectors = [...new Set(findings.map(({ injector }) => injector))];
  log.info({ pods, findings: findings.length, injectors }, 'audited');
}
