import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubeconfig } from '../../src/control-plane/kubeconfig.ts';
import { STAMP } from '../stamp.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { printed } from './installation.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { nginxDeployment, nginxPod, type Pod } from './pods.ts';
import { registerMutating } from './register-webhook.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-audits-'));
const deployments = '/apis/apps/v1/namespaces/shop/deployments';
const pods = '/api/v1/namespaces/shop/pods';
let plane: ControlPlane;
let webhook: Podgraft | undefined;
let replicas: Podgraft[] = [];
let isOver = false;
let nodes: Promise<void>;

type Deployment = {
  metadata: { uid: string };
  spec: { template: { metadata: { annotations?: Record<string, string> } } };
};
type Event = {
  reason: string;
  message: string;
  involvedObject: { kind: string; name: string; uid?: string };
};

beforeAll(async () => {
  plane = await startControlPlane({ authorizationMode: 'RBAC' });
  const config = join(folder, 'podgraft.yaml');
  writeFileSync(config, STAMP);
  // Only the permissions: the servers run as processes of this test.
  const text = await printed(config, '--audit-interval', '10s', '--restart-missed');
  const access = parseAllDocuments(text)
    .map((document) => document.toJS() as { kind: string })
    .filter(({ kind }) => /^(Namespace|ServiceAccount|.*Role|.*RoleBinding)$/.test(kind));
  const list = { apiVersion: 'v1', kind: 'List', items: access };
  expect(await plane.kubectl(['apply', '-f', '-'], { input: list })).toMatchObject({ code: 0 });
  expect(await plane.kubectl(['apply', '-f', '-'], { input: POLICY_REPORTS })).toMatchObject({ code: 0 });

  await eventually('PolicyReports are served', async () => {
    const { status } = await plane.request('GET', '/apis/wgpolicyk8s.io/v1alpha2/policyreports');
    return status === 200;
  });

  await createNamespace(plane, 'shop');
  for (const name of ['web', 'guarded']) {
    accepted(await plane.request('POST', deployments, nginxDeployment(name, 2)));
  }
  accepted(await plane.request('POST', pods, nginxPod('bare')));
  // Nothing may be disrupted.
  accepted(
    await plane.request('POST', '/apis/policy/v1/namespaces/shop/poddisruptionbudgets', {
      metadata: { name: 'guard' },
      spec: { minAvailable: '100%', selector: { matchLabels: { app: 'guarded' } } },
    }),
  );
  nodes = pretendToRunPods();
  // Times in metadata have whole seconds.
  await sleep(1500);

  const token = await plane.kubectl(['create', 'token', 'podgraft', '-n', 'podgraft']);
  const account = join(folder, 'account.json');
  writeFileSync(account, kubeconfig({ ...plane, token: token.stdout.trim(), namespace: 'podgraft' }));
  const cluster = { ...plane, kubeconfig: account };
  // Registered before the first audit, which compares its age with that of Pods.
  webhook = await startPodgraft(STAMP, { cluster });
  const { mutateUrl: url, caBundle } = webhook;
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } };
  await registerMutating(plane, { name: 'podgraft', url, caBundle, namespaceSelector });
  const args = ['--audit-interval', '10s', '--restart-missed'];
  replicas = await Promise.all([0, 1].map(() => startPodgraft(STAMP, { cluster, args })));
});
afterAll(async () => {
  isOver = true;
  await nodes;
  await webhook?.stop('SIGKILL');
  await Promise.all(replicas.map((replica) => replica.stop('SIGKILL')));
  await plane.stop();
  rmSync(folder, { recursive: true });
});

/** Like a kubelet: all Pods are ready. */
async function pretendToRunPods(): Promise<void> {
  while (!isOver) {
    const { items } = accepted(await plane.request<{ items: (Pod & { status: object })[] }>('GET', pods));
    for (const { metadata, status } of items.filter(
      ({ status }) => !('conditions' in status) || !isReady(status),
    )) {
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: new Date(0).toISOString() }];
      await plane.request('PATCH', `${pods}/${metadata.name}/status`, {
        status: { ...status, phase: 'Running', conditions },
      });
    }
    await sleep(300);
  }
}

function isReady(status: object): boolean {
  const { conditions = [] } = status as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

const auditing = async () => {
  const texts = await Promise.all(replicas.map((replica) => replica.metrics()));
  return texts.filter((text) => /podgraft_audits_total\{result="complete"\} [1-9]/.test(text));
};
const deployment = async (name: string) =>
  accepted(await plane.request<Deployment>('GET', `${deployments}/${name}`));
const events = async () =>
  accepted(await plane.request<{ items: Event[] }>('GET', '/api/v1/namespaces/shop/events')).items;

it('one of two replicas audits, and reports by metric, Event and PolicyReport', async () => {
  const [text] = await eventually('an audit', async () => {
    const found = await auditing();
    return found.length > 0 && found;
  });
  expect(text).toContain('podgraft_missed_injections{injector="stamp",namespace="shop"} 5');
  const found = await eventually('Events', async () => {
    const missed = (await events()).filter(({ reason }) => reason === 'MissedInjection');
    return missed.length === 3 && missed;
  });
  const { metadata } = await deployment('web');
  expect(found.map(({ involvedObject: { kind, name } }) => `${kind} ${name}`).toSorted()).toEqual([
    'Deployment guarded',
    'Deployment web',
    'Pod bare',
  ]);
  expect(found).toContainEqual(
    expect.objectContaining({
      involvedObject: expect.objectContaining({ name: 'web', uid: metadata.uid }),
      message:
        'injector stamp: 2 running Pods not injected: created before Podgraft. Missing: /metadata/annotations',
    }),
  );
  const report = await eventually('a PolicyReport', async () => {
    const path = '/apis/wgpolicyk8s.io/v1alpha2/namespaces/shop/policyreports/podgraft';
    const answer = await plane.request<{ summary: object; results: object[] }>('GET', path);
    return answer.status === 200 && answer.body;
  });
  expect(report).toMatchObject({ summary: { fail: 3 } });
  expect(await auditing()).toHaveLength(1);
});

it('it restarts the workload, once, and leaves bare Pods and those with a budget alone', async () => {
  await eventually('Pods of web are injected', async () => {
    const { items } = accepted(
      await plane.request<{ items: Pod[] }>('GET', `${pods}?labelSelector=app%3Dweb`),
    );
    return items.length === 2 && items.every(({ metadata }) => metadata.annotations?.['injected-by']);
  });
  const { spec } = await deployment('web');
  const { annotations } = spec.template.metadata;
  expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
    'kubectl.kubernetes.io/restartedAt',
    'podgraft.dev/restarted-for',
  ]);
  // After the pause between restarts.
  await eventually(
    'the next audit',
    async () => (await auditing()).some((text) => text.includes('{injector="stamp",namespace="shop"} 3')),
    { within: 90_000 },
  );
  expect((await deployment('web')).spec).toEqual(spec);
  expect((await deployment('guarded')).spec.template.metadata.annotations).toBeUndefined();
  const bare = await plane.request<Pod>('GET', `${pods}/bare`);
  expect(accepted(bare).metadata.annotations).toBeUndefined();
  const [text] = await auditing();
  expect(text).toContain('podgraft_restarted_workloads_total 1');
  const log = replicas.map(({ process }) => process.output()).join('');
  expect(log).toContain('PodDisruptionBudget \\"guard\\" allows no disruption');
  expect((await events()).map(({ reason }) => reason)).toContain('RestartedForInjection');
}, 120_000);

it('another replica takes over', async () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/podgraft/leases/podgraft-audit';
  const texts = await Promise.all(replicas.map((replica) => replica.metrics()));
  const holder = texts.findIndex((text) => /podgraft_audits_total\{result="complete"\} [1-9]/.test(text));
  const [gone] = replicas.splice(holder, 1);
  await gone?.stop();
  await eventually('the other audits', async () => (await auditing()).length === 1);
  const { spec } = accepted(await plane.request<{ spec: { holderIdentity: string } }>('GET', lease));
  expect(spec.holderIdentity).not.toBe('');
  expect((await auditing())[0]).toContain('podgraft_missed_injections{injector="stamp",namespace="shop"}');
});

/** As much of the definition as the API server needs. */
const POLICY_REPORTS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'policyreports.wgpolicyk8s.io' },
  spec: {
    group: 'wgpolicyk8s.io',
    scope: 'Namespaced',
    names: { kind: 'PolicyReport', plural: 'policyreports', singular: 'policyreport' },
    versions: [
      {
        name: 'v1alpha2',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
