import { expect, test } from 'vitest';
import type { Finding, Reason, Workload } from '../../src/audit/finding.ts';
import { restartMissed } from '../../src/audit/restart-missed.ts';
import type { KubeClient } from '../../src/cluster/client/client.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { EPOCH, FakeCluster, Simulation } from '../../src/registration/simulation.fixture.ts';

const READY = { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

function workload(kind: string, name: string, spec: object = {}, status: object = READY): KubeObject {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [] } };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'shop', generation: 1, uid: name },
    spec: { replicas: 2, template, ...spec },
    status,
  } as unknown as KubeObject;
}

function finding(kind: string, name: string, reason: Reason = 'created before Podgraft'): Finding {
  const owner: Workload = { apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1', kind, name };
  return { namespace: 'shop', workload: owner, injector: 'stamp', reason, paths: [], pods: [], podCount: 1 };
}

function start(objects: readonly KubeObject[], budgets: readonly KubeObject[] = []) {
  const simulation = new Simulation();
  const cluster = new FakeCluster(simulation, () => 10);
  for (const object of objects) cluster.put(object);
  const restarts: { readonly name: string; readonly at: number }[] = [];
  const lines: string[] = [];
  const write = (fields: object, message: string) => {
    lines.push(`${message}: ${Object.values(fields).at(-1)}`);
    if (message === 'workload restarted')
      restarts.push({ name: (fields as { name: string }).name, at: simulation.time });
  };
  const client = {
    ...cluster.client(),
    list: async () => ({ items: budgets, resourceVersion: '1' }),
    close() {},
  } as KubeClient;
  const restart = async (findings: readonly Finding[], minutes: number, fingerprint = 'f1') => {
    const options = {
      client,
      fingerprints: new Map([['stamp', fingerprint]]),
      clock: simulation.clock(),
      log: { info: write, warn: write },
      onRestart() {},
    };
    void restartMissed(findings, options, new AbortController().signal);
    await simulation.run(simulation.time + minutes * 60_000);
    return restarts.map(({ name }) => name);
  };
  return { restart, restarts, lines, cluster };
}

const web = finding('Deployment', 'web');

test('workloads are restarted one after the other, with a pause', async () => {
  const kinds = ['Deployment', 'StatefulSet'];
  const { restart, restarts } = start(kinds.map((kind) => workload(kind, kind.toLowerCase())));
  const names = await restart(
    kinds.map((kind) => finding(kind, kind.toLowerCase())),
    5,
  );
  expect(names).toEqual(['deployment', 'statefulset']);
  const [first, second] = restarts;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
});

test('never twice for the same reason, but again for another reason or configuration', async () => {
  const { restart } = start([workload('Deployment', 'web')]);
  expect(await restart([web], 5)).toEqual(['web']);
  expect(await restart([web], 5)).toEqual(['web']);
  expect(await restart([finding('Deployment', 'web', 'configuration changed since')], 5)).toHaveLength(2);
  expect(await restart([web], 5, 'f2')).toHaveLength(3);
  expect(await restart([web], 5, 'f2')).toHaveLength(3);
});

test('again for the same reason if all Pods are younger than the rollout of the last restart', async () => {
  const { restart } = start([workload('Deployment', 'web')]);
  await restart([web], 5);
  const since = (minutes: number) => new Date(EPOCH + minutes * 60_000).toISOString();
  // It belongs to the restart's own rollout, so the restart did not help.
  expect(await restart([{ ...web, since: since(1) }], 60)).toHaveLength(1);
  expect(
    await restart(
      [
        { ...web, since: since(30) },
        { ...web, since: since(1) },
      ],
      5,
    ),
  ).toHaveLength(1);
  expect(await restart([{ ...web, since: since(30) }], 5)).toHaveLength(2);
  expect(await restart([{ ...web, since: since(30) }], 5)).toHaveLength(2);
});

test('never bare Pods, Jobs, ReplicaSets or custom workloads', async () => {
  const { restart } = start([workload('ReplicaSet', 'web'), workload('Job', 'web')]);
  const custom = {
    ...web,
    workload: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Deployment', name: 'web' },
  };
  const kinds = ['Pod', 'Job', 'ReplicaSet'].map((kind) => finding(kind, 'web'));
  expect(await restart([...kinds, custom], 5)).toEqual([]);
});

test('a workload that does not become available ends the restarts', async () => {
  const { restart, cluster, lines } = start([workload('Deployment', 'a'), workload('Deployment', 'b')]);
  const put = cluster.put.bind(cluster);
  // The new Pods crash.
  cluster.put = (object) => put({ ...object, status: { ...READY, availableReplicas: 1 } } as KubeObject);
  const findings = ['a', 'b'].map((name) => finding('Deployment', name));
  expect(await restart(findings, 60)).toEqual(['a']);
  expect(lines.at(-1)).toContain('does not become available, no further restarts for now');
});

const budget = (disruptionsAllowed: number, app: string) =>
  ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'guard', namespace: 'shop' },
    spec: { selector: { matchLabels: { app } } },
    status: { disruptionsAllowed },
  }) as unknown as KubeObject;

test.each([
  ['allows a disruption', [budget(1, 'web')], ['web']],
  ['is for other Pods', [budget(0, 'other')], ['web']],
  ['allows none', [budget(1, 'web'), budget(0, 'web')], []],
])('a PodDisruptionBudget that %s', async (_, budgets, expected) => {
  const { restart } = start([workload('Deployment', 'web')], budgets);
  expect(await restart([web], 5)).toEqual(expected);
});

test.each([
  ['is paused', workload('Deployment', 'web', { paused: true })],
  ['is being rolled out', workload('Deployment', 'web', {}, { ...READY, observedGeneration: 0 })],
  ['lacks Pods', workload('Deployment', 'web', {}, { ...READY, availableReplicas: 1 })],
  ['has Pods too many', workload('Deployment', 'web', {}, { ...READY, replicas: 3 })],
  [
    'replaces Pods only when they are deleted',
    workload('StatefulSet', 'web', { updateStrategy: { type: 'OnDelete' } }),
  ],
])('a workload that %s is left alone', async (_, object) => {
  const { restart } = start([object]);
  expect(await restart([finding(object.kind, 'web')], 5)).toEqual([]);
});

test('a DaemonSet is restarted when all of its Pods are available', async () => {
  const status = (numberAvailable: number) => ({
    observedGeneration: 1,
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    updatedNumberScheduled: 3,
    numberAvailable,
  });
  const daemon = finding('DaemonSet', 'web');
  expect(await start([workload('DaemonSet', 'web', {}, status(2))]).restart([daemon], 5)).toEqual([]);
  expect(await start([workload('DaemonSet', 'web', {}, status(3))]).restart([daemon], 5)).toEqual(['web']);
});

test('annotations of the template are kept', async () => {
  const template = {
    metadata: { labels: { app: 'web' }, annotations: { mine: 'yes' } },
    spec: { containers: [] },
  };
  const { restart, cluster } = start([workload('Deployment', 'web', { template })]);
  await restart([web], 1);
  const stored = JSON.stringify(cluster.objects.get('Deployment/web'));
  expect(stored).toContain('"mine":"yes"');
  expect(stored).toContain('"kubectl.kubernetes.io/restartedAt":"2030-01-01T');
});
