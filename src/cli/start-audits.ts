import { randomUUID } from 'node:crypto';
import { repeatAudits } from '../audit/repeat-audits.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import { holdLease } from '../cluster/hold-lease.ts';
import { createdAt } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import type { Log } from '../server/log.ts';
import type { AuditMetrics } from '../server/metrics/audit-metrics.ts';
import type { AuditFlags } from './cluster-flags.ts';
import { millisecondsOf } from './duration.ts';
import type { Connection } from './open-views.ts';
import type { Loaded } from './reload-config.ts';

export interface AuditWiring {
  readonly connection: Connection;
  readonly current: () => Loaded;
  readonly metrics: AuditMetrics;
  readonly log: Log;
}

/** Audits in one of all replicas and workers, chosen by a Lease. Returns a function that stops it. */
export function startAudits(
  { auditInterval = '', restartMissed = false, webhook }: AuditFlags,
  { connection, current, metrics, log }: AuditWiring,
): () => Promise<void> {
  const { client, namespace } = connection;
  const ending = new AbortController();
  const holding = holdLease(
    {
      client,
      namespace: process.env.POD_NAMESPACE ?? namespace,
      name: `${webhook}-audit`,
      identity: `${process.env.POD_NAME ?? process.env.HOSTNAME ?? 'podgraft'}_${randomUUID()}`,
      log,
      work: async (signal) => {
        const options = {
          client,
          intervalMs: millisecondsOf(auditInterval) ?? 0,
          restart: restartMissed,
          metrics,
          log,
          current: async () => {
            const installedAt = await webhookCreatedAt(client, webhook);
            const { config, views } = current();
            const { pipeline, fingerprints } = config;
            const installation = { pipeline, fingerprints, files: views.files };
            const since = installedAt === undefined ? {} : { installedAt };
            return { cluster: views.cluster, installation: { ...installation, ...since } };
          },
        };
        await repeatAudits(options, signal);
      },
    },
    ending.signal,
  );
  return async () => {
    ending.abort();
    await holding;
  };
}

/** When podgraft was installed; undefined if it may not be read. */
async function webhookCreatedAt(client: KubeClient, name: string): Promise<string | undefined> {
  const target = { ref: builtin('MutatingWebhookConfiguration'), name };
  const configuration = await client.get(target).catch(() => undefined);
  return configuration && createdAt(configuration);
}
