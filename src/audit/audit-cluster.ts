import { setImmediate } from 'node:timers/promises';
import type { KubeClient } from '../cluster/client/client.ts';
import { pagesOf } from '../cluster/snapshot.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import { auditPod, type Installation } from './audit-pod.ts';
import { collectFindings } from './collect-findings.ts';
import type { Finding } from './finding.ts';

export interface AuditOptions {
  readonly client: KubeClient;
  readonly cluster: ClusterView;
  readonly installation: Installation;
  /** All namespaces if absent. */
  readonly namespace?: string;
  readonly onProgress?: (pods: number) => void;
  /** Pods per call of the API server. */
  readonly pageSize?: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
}

export interface Audit {
  readonly pods: number;
  readonly findings: readonly Finding[];
  /** Pods for which an injector failed, at most a few. */
  readonly errors: readonly string[];
  /** Why the audit ended early; the findings are those made before. */
  readonly incomplete?: string;
}

const MOST_ERRORS = 10;
const PODS_AT_ONCE = 20;

/** Audits Pods page by page, so that memory does not grow with the cluster. Never rejects for an answer of the API server. */
export async function auditCluster({
  client,
  cluster,
  installation,
  namespace,
  onProgress,
  pageSize,
  signal,
}: AuditOptions): Promise<Audit> {
  const collector = collectFindings();
  const errors: string[] = [];
  let pods = 0;
  const selection = {
    ...(namespace !== undefined && { namespace }),
    ...(pageSize !== undefined && { limit: pageSize }),
  };
  try {
    for await (const page of pagesOf(client, builtin('Pod'), selection)) {
      for (const [index, pod] of page.entries()) {
        // Lets a server answer reviews in between.
        if (index % PODS_AT_ONCE === 0) await setImmediate();
        try {
          collector.add(pod, auditPod(pod, cluster, installation));
        } catch (error) {
          if (!(error instanceof PodgraftError)) throw error;
          if (errors.length < MOST_ERRORS)
            errors.push(`Pod "${pod.metadata.namespace}/${pod.metadata.name}": ${error.message}`);
        }
      }
      if (signal?.aborted) return { pods, findings: collector.findings(), errors, incomplete: 'stopped' };
      pods += page.length;
      onProgress?.(pods);
    }
  } catch (error) {
    if (!(error instanceof PodgraftError)) throw error;
    return { pods, findings: collector.findings(), errors, incomplete: error.message };
  }
  return { pods, findings: collector.findings(), errors };
}
