import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { kubeconfigConnection } from '../../src/cluster/client/kubeconfig.ts';
import { systemClock } from '../../src/cluster/clock.ts';
import { createLiveView, type LiveView, type LiveViewOptions } from '../../src/cluster/views/live-view.ts';
import { builtin } from '../../src/kube/resource.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';

const ACCOUNT = builtin('ServiceAccount');
const NAMESPACE = builtin('Namespace');
const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget', resource: 'widgets', namespaced: true };
const accounts = (namespace: string) => `/api/v1/namespaces/${namespace}/serviceaccounts`;

describe('the live view of a real cluster', () => {
  let plane: ControlPlane;
  let client: KubeClient;

  beforeAll(async () => {
    plane = await startControlPlane({ controllers: false });
    client = createClient(kubeconfigConnection({ path: plane.kubeconfig }));
  });
  afterAll(async () => {
    client?.close();
    await plane?.stop();
  });

  /** A view for one test, with its log. */
  async function open(options: Partial<LiveViewOptions> = {}): Promise<LiveView & { logged: string[] }> {
    const logged: string[] = [];
    const note = (fields: object, message: string) =>
      void logged.push(`${message} ${JSON.stringify(fields)}`);
    const view = createLiveView({ client, reads: [ACCOUNT], log: { info: note, warn: note }, ...options });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    void view.start(stop.signal);
    await eventually('the view is synced', () => view.synced().synced, { every: 5 });
    return { ...view, logged };
  }
  const createAccount = async (namespace: string, name: string) =>
    accepted(await plane.request('POST', accounts(namespace), { metadata: { name } }));
  const createNamespace = async (name: string, labels: object = {}) =>
    accepted(await plane.request('POST', '/api/v1/namespaces', { metadata: { name, labels } }));

  it('holds existing objects, and follows those that are created, changed and deleted', async () => {
    const view = await open();
    expect(view.get(ACCOUNT, 'default', 'default')?.kind).toBe('ServiceAccount');
    await createNamespace('team-a', { tier: 'gold' });
    const namespace = await eventually('the namespace', () => view.get(NAMESPACE, undefined, 'team-a'));
    expect(namespace.metadata.labels).toMatchObject({ tier: 'gold' });
    expect(namespace.metadata).not.toHaveProperty('managedFields');
    expect(Object.keys(namespace)).toEqual(['apiVersion', 'kind', 'metadata']);

    await createAccount('team-a', 'web');
    await eventually('the account', () => view.get(ACCOUNT, 'team-a', 'web'));
    const patch = { metadata: { annotations: { role: 'reader' } } };
    accepted(await plane.request('PATCH', `${accounts('team-a')}/web`, patch));
    await eventually(
      'the annotation',
      () => view.get(ACCOUNT, 'team-a', 'web')?.metadata.annotations?.role === 'reader',
    );
    accepted(await plane.request('DELETE', `${accounts('team-a')}/web`));
    await eventually('its end', () => view.list(ACCOUNT, 'team-a').length === 0);
  });

  it('reads an object that was created a millisecond ago', async () => {
    const view = await open();
    // A view without watches has to read every object; one with watches often has it already.
    const blind = createLiveView({ client, reads: [ACCOUNT] });
    const waits: number[] = [];
    for (let round = 0; round < 100; round++) {
      const name = `fresh-${round}`;
      await createAccount('default', name);
      const before = performance.now();
      await blind.read([{ ref: ACCOUNT, namespace: 'default', name }], 1_000);
      waits.push(performance.now() - before);
      await view.read([{ ref: ACCOUNT, namespace: 'default', name }], 1_000);
      expect(blind.get(ACCOUNT, 'default', name)).toBeDefined();
      expect(view.get(ACCOUNT, 'default', name)).toBeDefined();
    }
    waits.sort((one, other) => one - other);
    print(`a live read takes ${waits[50]?.toFixed(1)} ms (median), ${waits[98]?.toFixed(1)} ms (p99)`);
    expect(blind.reads).toEqual({ found: 100, missing: 0, failed: 0 });
    expect(view.reads.failed).toBe(0);
  });

  it('finds a kind that is installed later', async () => {
    const clock = {
      ...systemClock,
      sleep: (_: number, signal: AbortSignal) => systemClock.sleep(100, signal),
    };
    const view = await open({ reads: [WIDGET], clock });
    expect(view.synced().detail).toEqual(['Widget.example.com: not installed']);
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    accepted(await plane.request('POST', path, widgetDefinition));
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 3 } };
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    await eventually('the widget', async () => (await plane.request('POST', widgets, body)).status === 201);
    const widget = await eventually('the widget in the view', () => view.get(WIDGET, 'default', 'w'));
    expect(widget).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 3 } });
    expect(view.synced()).toEqual({ synced: true, detail: [] });
  });

  it('keeps serving while the API server is down, and catches up when it is back', async () => {
    const view = await open();
    await createAccount('default', 'before');
    await eventually('the account', () => view.get(ACCOUNT, 'default', 'before'));
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      view.logged.length = 0;
      await plane.stopApiServer(signal);
      await eventually('the loss is noticed', () =>
        view.logged.some((line) => line.startsWith('watch lost')),
      );
      expect(view.get(ACCOUNT, 'default', 'before')).toBeDefined();
      expect(view.synced().synced).toBe(true);
      const before = performance.now();
      await view.read([{ ref: ACCOUNT, namespace: 'default', name: `unknown-${signal}` }], 500);
      expect(performance.now() - before).toBeLessThan(600);

      await plane.startApiServer();
      const name = `after-${signal.toLowerCase()}`;
      await createAccount('default', name);
      const back = performance.now();
      await eventually('the new account', () => view.get(ACCOUNT, 'default', name));
      const relisted = view.logged.filter((line) => line.startsWith('kind listed')).length;
      print(
        `${signal}: caught up ${(performance.now() - back).toFixed(0)} ms after the API server was back, ${relisted} kinds listed again`,
      );
    }
    // A server that has just started knows no older versions, so the view has survived this refusal.
    const old = client.watch(ACCOUNT, { resourceVersion: '1', timeoutSeconds: 5, idleMs: 10_000 });
    await expect(old.next()).rejects.toMatchObject({ status: 410, reason: 'Expired' });
    expect(Math.max(...view.kinds().map(({ ageSeconds }) => ageSeconds ?? 999))).toBeLessThan(15);
  });

  it('holds 20,000 ServiceAccounts', { timeout: 300_000 }, async () => {
    const COUNT = 20_000;
    const namespaces = Array.from({ length: 40 }, (_, index) => `many-${index}`);
    await Promise.all(namespaces.map((name) => createNamespace(name)));
    const began = performance.now();
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < COUNT; index = next++) {
        const metadata = {
          name: `account-${index}`,
          annotations: { 'example.com/role': `arn:role/${index}` },
        };
        accepted(await plane.request('POST', accounts(namespaces[index % 40] ?? ''), { metadata }));
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    print(`made ${COUNT} ServiceAccounts in ${seconds(began)} s`);

    const before = heapUsed();
    const started = performance.now();
    const view = await open();
    const sync = seconds(started);
    const bytes = heapUsed() - before;
    expect(view.list(ACCOUNT).length).toBeGreaterThanOrEqual(COUNT);
    expect(view.list(ACCOUNT, 'many-7')).toHaveLength(COUNT / 40);
    print(
      `synced in ${sync} s, ${(bytes / 2 ** 20).toFixed(1)} MiB, ${Math.round(bytes / COUNT)} bytes an object`,
    );
    // Ten times the actual figure, so that only a fundamental change fails.
    expect(bytes / COUNT).toBeLessThan(10_000);

    const asked = performance.now();
    for (let round = 0; round < 10_000; round++) view.list(ACCOUNT, namespaces[round % 40]);
    const each = ((performance.now() - asked) / 10_000) * 1000;
    print(`list of one namespace with 500 objects: ${each.toFixed(2)} µs`);

    await plane.restartApiServer('SIGKILL');
    await createAccount('many-7', 'late');
    await eventually('the late account', () => view.get(ACCOUNT, 'many-7', 'late'));
    expect(view.list(ACCOUNT, 'many-7')).toHaveLength(COUNT / 40 + 1);
  });
});

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** After a full garbage collection. The flag is set here, so that the test runner needs no options. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(2);
}

function print(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
