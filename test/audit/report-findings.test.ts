import { expect, test } from 'vitest';
import type { Audit } from '../../src/audit/audit-cluster.ts';
import type { Finding } from '../../src/audit/finding.ts';
import { reportFindings } from '../../src/audit/report-findings.ts';
import { ApiError } from '../../src/cluster/client/api-error.ts';
import type { KubeClient } from '../../src/cluster/client/client.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';

const finding: Finding = {
  namespace: 'shop',
  workload: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' },
  controllerUid: 'u1',
  injector: 'stamp',
  reason: 'created before Podgraft',
  paths: ['/metadata/annotations'],
  pods: ['db-0'],
  podCount: 1,
};
const found: Audit = { pods: 1, findings: [finding], errors: [] };
const nothing: Audit = { pods: 1, findings: [], errors: [] };

/** An API server with PolicyReports, unless it refuses to list them. */
function start(refusal?: { readonly status: number; readonly reason: string }) {
  const reports = new Map<string, KubeObject>();
  const events: KubeObject[] = [];
  const writes: string[] = [];
  const warnings: string[] = [];
  const client = {
    list: async () => {
      if (refusal) throw new ApiError('list policyreports', { ...refusal, message: '' });
      return { items: [...reports.values()], resourceVersion: '1' };
    },
    create: async (_, object) => {
      if (object.kind === 'Event') events.push(object);
      else reports.set(object.metadata.namespace ?? '', object);
      writes.push(`create ${object.kind}`);
      return object;
    },
    update: async (_, object) => {
      reports.set(object.metadata.namespace ?? '', object);
      writes.push(`update ${object.kind}`);
      return object;
    },
  } as Partial<KubeClient> as KubeClient;
  const log = { info() {}, warn: (fields: object) => void warnings.push(JSON.stringify(fields)) };
  const report = (audit: Audit) => reportFindings(audit, { client, now: new Date(), log });
  return { report, reports, events, writes, warnings };
}

test('a finding becomes an Event and a result of the report of its namespace', async () => {
  const { report, reports, events } = start();
  await report(found);
  expect(events).toMatchObject([
    { involvedObject: { kind: 'StatefulSet', name: 'db', uid: 'u1', namespace: 'shop' } },
  ]);
  expect(reports.get('shop')).toMatchObject({ summary: { fail: 1 }, results: [{ policy: 'stamp' }] });
});

test('a report is rewritten only if it changes, and cleared if nothing is missing any more', async () => {
  const { report, reports, writes } = start();
  await report(found);
  await report(found);
  expect(writes.filter((write) => write.endsWith('PolicyReport'))).toEqual(['create PolicyReport']);
  await report(nothing);
  expect(reports.get('shop')).toMatchObject({ summary: { fail: 0 }, results: [] });
});

test('an incomplete audit clears no report', async () => {
  const { report, reports } = start();
  await report(found);
  await report({ ...nothing, incomplete: 'the API server went away' });
  expect(reports.get('shop')).toMatchObject({ summary: { fail: 1 } });
});

test('without the definition of PolicyReports there are only Events', async () => {
  const { report, events, reports, warnings } = start({ status: 404, reason: 'NotFound' });
  await report(found);
  expect([events.length, reports.size, warnings]).toEqual([1, 0, []]);
});

test('a missing permission is logged', async () => {
  const { report, events, warnings } = start({ status: 403, reason: 'Forbidden' });
  await report(found);
  expect(events).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining('Cannot list policyreports: 403 Forbidden')]);
});
