import { type Audit, auditCluster } from '../audit/audit-cluster.ts';
import type { Installation } from '../audit/audit-pod.ts';
import { policyReports } from '../audit/policy-report.ts';
import { createClient, type KubeClient } from '../cluster/client/client.ts';
import { findConnection } from '../cluster/client/find-connection.ts';
import { snapshotView, takeSnapshot } from '../cluster/snapshot.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { readFiles } from '../files/text-files.ts';
import { fileSources } from '../pipeline/pipeline.ts';
import { auditPage } from './audit-page.ts';
import { auditTable } from './audit-table.ts';
import { loadLiveConfig } from './live-config.ts';
import type { ConnectOptions } from './open-views.ts';

export interface AuditOptions extends ConnectOptions {
  readonly namespace?: string;
  readonly config?: string;
  readonly webhook: string;
  readonly output: 'table' | 'json' | 'html' | 'policyreport';
}

/** Prints what the configuration would still change on running Pods. Exit code 1 if there is any such change. */
export async function audit(options: AuditOptions): Promise<void> {
  const { kubeconfig, context, namespace } = options;
  const client = createClient(
    findConnection({ ...(kubeconfig && { path: kubeconfig }), ...(context && { context }) }),
  );
  try {
    const installation = await findInstallation(client, options);
    const reads = installation.pipeline.stages.flatMap((stage) => stage.reads);
    const snapshot = await takeSnapshot(client, reads);
    for (const { reason } of snapshot.failures) process.stderr.write(`warning: ${reason}\n`);
    const result = await auditCluster({
      client,
      cluster: snapshotView(snapshot, []),
      installation,
      ...(namespace !== undefined && { namespace }),
      onProgress: showProgress,
    });
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    for (const error of result.errors) process.stderr.write(`warning: ${error}\n`);
    process.stdout.write(RENDERERS[options.output](result));
    if (result.incomplete !== undefined)
      process.stderr.write(`error: the audit ended after ${result.pods} Pods: ${result.incomplete}\n`);
    if (result.findings.length > 0 || result.incomplete !== undefined) process.exitCode = 1;
  } finally {
    client.close();
  }
}

async function findInstallation(
  client: KubeClient,
  { config: file, webhook }: AuditOptions,
): Promise<Installation> {
  if (file !== undefined) return installationOf(await loadConfig(file));
  const { config, ...times } = await loadLiveConfig(client, webhook);
  return { ...installationOf(config), ...times };
}

function installationOf({ pipeline, fingerprints }: Config): Installation {
  return { pipeline, fingerprints, files: readFiles(fileSources(pipeline)) };
}

function showProgress(pods: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${pods} Pods audited`);
}

const RENDERERS: Record<AuditOptions['output'], (audit: Audit) => string> = {
  table: auditTable,
  json: ({ pods, findings, incomplete }) =>
    `${JSON.stringify({ pods, complete: incomplete === undefined, findings }, null, 2)}\n`,
  html: (audit) => auditPage(audit, new Date()),
  policyreport: ({ findings }) => {
    const items = policyReports(findings, new Date());
    return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`;
  },
};
