import { PodgraftError } from '../podgraft-error.ts';
import type { Connection } from './open-views.ts';

export interface AuditFlags {
  readonly auditInterval?: string;
  readonly restartMissed?: boolean;
  readonly webhook: string;
}

/** Options of `serve` that need a live cluster. */
export interface ClusterFlags extends AuditFlags {
  readonly manageWebhooks?: string;
  /** Files that replace the cluster. */
  readonly cluster: readonly string[];
}

/** Checked before anything starts. */
export function checkClusterFlags(flags: ClusterFlags, connection: Connection | undefined): void {
  const { auditInterval, restartMissed, manageWebhooks, cluster } = flags;
  if (restartMissed && auditInterval === undefined)
    throw new PodgraftError('USAGE', '--restart-missed needs --audit-interval');
  if (connection !== undefined && cluster.length === 0) return;
  const [first] = [
    ...(auditInterval === undefined ? [] : ['--audit-interval']),
    ...(manageWebhooks === undefined ? [] : ['--manage-webhooks']),
  ];
  if (first !== undefined)
    throw new PodgraftError('USAGE', `${first} needs a live cluster: run in one, or use --kubeconfig`);
}
