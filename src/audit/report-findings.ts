import { isDeepStrictEqual } from 'node:util';
import { isRefusal } from '../cluster/client/api-error.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import { postEvent } from '../cluster/post-event.ts';
import { pagesOf } from '../cluster/snapshot.ts';
import { isJsonArray, type Json } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Audit } from './audit-cluster.ts';
import type { AuditLogger } from './audit-logger.ts';
import type { Finding } from './finding.ts';
import { missingText, policyReport, policyReports } from './policy-report.ts';

export interface ReportOptions {
  readonly client: KubeClient;
  readonly now: Date;
  readonly log: AuditLogger;
}

/** A large outage should not flood the cluster with Events. */
const MOST_EVENTS = 100;

const POLICY_REPORT: ResourceRef = {
  group: 'wgpolicyk8s.io',
  version: 'v1alpha2',
  kind: 'PolicyReport',
  resource: 'policyreports',
  namespaced: true,
};

/** Events on the workloads, and PolicyReports if the cluster knows them. Failures are logged: the next audit tries again. */
export async function reportFindings(audit: Audit, options: ReportOptions): Promise<void> {
  const attempt = async (what: string, work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      options.log.warn({ error: error.message }, `cannot write ${what}`);
    }
  };
  await attempt('Events', writeEvents(audit.findings, options));
  // An incomplete audit must not clear the reports of namespaces that it did not reach.
  if (audit.incomplete === undefined) await attempt('PolicyReports', writeReports(audit.findings, options));
}

async function writeEvents(findings: readonly Finding[], { client, now, log }: ReportOptions): Promise<void> {
  for (const finding of findings.slice(0, MOST_EVENTS)) {
    const { namespace, workload, injector } = finding;
    const uid = await uidOf(client, finding);
    const about = { ...workload, namespace, ...(uid !== undefined && { uid }) };
    const message = `injector ${injector}: ${missingText(finding)}`;
    await postEvent(client, { about, type: 'Warning', reason: 'MissedInjection', message }, now);
  }
  if (findings.length > MOST_EVENTS) {
    log.warn({ findings: findings.length, events: MOST_EVENTS }, 'too many findings for Events');
  }
}

/** Pods know the uid of their controller, which for a Deployment is that of a ReplicaSet. */
async function uidOf(client: KubeClient, finding: Finding): Promise<string | undefined> {
  const { namespace, workload, controllerUid } = finding;
  if (workload.kind !== 'Deployment') return controllerUid;
  const found = await client.get({ ref: builtin('Deployment'), namespace, name: workload.name });
  const uid = found && asJson(found.metadata).uid;
  return typeof uid === 'string' ? uid : undefined;
}

async function writeReports(findings: readonly Finding[], { client, now }: ReportOptions): Promise<void> {
  const existing = await existingReports(client);
  // Not installed.
  if (existing === undefined) return;
  const wanted = policyReports(findings, now);
  const namespaces = new Set(wanted.map(({ metadata }) => metadata.namespace));
  const cleared = [...existing.keys()]
    .filter((namespace) => !namespaces.has(namespace))
    .map((namespace) => policyReport(namespace, [], now));
  for (const report of [...wanted, ...cleared]) {
    const known = existing.get(report.metadata.namespace ?? '');
    if (known === undefined) await client.create(POLICY_REPORT, report);
    else if (!isDeepStrictEqual(withoutTimes(known), withoutTimes(report))) {
      const metadata = { ...known.metadata, ...report.metadata };
      await client.update(POLICY_REPORT, { ...report, metadata });
    }
  }
}

/** Podgraft's own reports by namespace; undefined if the cluster does not know the kind. */
async function existingReports(client: KubeClient): Promise<Map<string, KubeObject> | undefined> {
  const found = new Map<string, KubeObject>();
  try {
    const options = { fieldSelector: 'metadata.name=podgraft' };
    for await (const page of pagesOf(client, POLICY_REPORT, options)) {
      for (const report of page) found.set(report.metadata.namespace ?? '', report);
    }
  } catch (error) {
    if (isRefusal(error) && error.status === 404) return undefined;
    throw error;
  }
  return found;
}

/** The results without their timestamps, to compare reports. */
function withoutTimes(report: KubeObject): Json[] {
  const { results } = asJson(report);
  return (isJsonArray(results) ? results : []).map((result) => ({ ...(result as object), timestamp: null }));
}
