import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kubeconfig } from '../../src/control-plane/kubeconfig.ts';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';

const NAMESPACE = 'reload';
const folder = mkdtempSync(join(tmpdir(), 'podgraft-reload-'));
const config = join(folder, 'podgraft.yaml');
let plane: ControlPlane;
let server: ServerProcess;

beforeAll(async () => {
  plane = await startControlPlane({ authorizationMode: 'RBAC', controllers: false });
  await createNamespace(plane, NAMESPACE);
  await grant('start', ['namespaces'], ['get', 'list', 'watch']);
  await grant('events', ['events'], ['create']);
  const token = await plane.kubectl(['create', 'token', 'default', '-n', NAMESPACE]);
  expect(token).toMatchObject({ code: 0 });
  const access = join(folder, 'kubeconfig');
  writeFileSync(access, kubeconfig({ ...plane, token: token.stdout.trim(), namespace: NAMESPACE }));
  writeFileSync(config, STAMP);
  server = await startProcess(['--http', '--config', config, '--kubeconfig', access], {
    env: { POD_NAME: 'podgraft-0', POD_UID: 'uid-of-the-pod', POD_NAMESPACE: NAMESPACE },
  });
  await eventually('ready', async () => (await readiness()) === 'ok\n');
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await plane.stop();
  rmSync(folder, { recursive: true });
});

async function readiness(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${server.metricsPort}/readyz`)).text();
}

type Event = { type: string; reason: string; message: string; involvedObject: object };

async function eventWith(reason: string, message: string): Promise<Event> {
  return eventually(`Event ${reason}`, async () => {
    const answer = await plane.request<{ items: Event[] }>('GET', `/api/v1/namespaces/${NAMESPACE}/events`);
    return accepted(answer).items.find((each) => each.reason === reason && each.message.includes(message));
  });
}

it('an invalid configuration becomes an Event of the Pod, and so does the next valid one', async () => {
  writeFileSync(config, STAMP.replace('metadata', 'metadatta'));
  const rejected = await eventWith('ConfigurationRejected', 'unknown injector "metadatta"');
  expect(rejected).toMatchObject({
    type: 'Warning',
    involvedObject: { kind: 'Pod', name: 'podgraft-0', namespace: NAMESPACE, uid: 'uid-of-the-pod' },
  });
  writeFileSync(config, STAMP.replace('my-webhook', 'other'));
  await eventWith('ConfigurationReloaded', 'configuration reloaded');
  expect(await readiness()).toBe('ok\n');
});

it('a configuration that reads a new kind takes effect once it has the permission', async () => {
  writeFileSync(config, `${STAMP}  - {name: identity, use: pod-identity}\n`);
  const { message } = await eventWith('ConfigurationRejected', 'cannot be listed');
  expect(message).toContain('ServiceAccount');
  expect(message).toContain('403 Forbidden');
  expect(message).toContain(`apply the output of \`podgraft manifests --config ${config}\``);
  expect(await readiness()).toMatch(/^ok\nconfiguration not reloaded/);

  await grant('accounts', ['serviceaccounts', 'configmaps'], ['get', 'list', 'watch']);
  await eventually('it is in force', async () => (await readiness()) === 'ok\n', { within: 60_000 });
  expect(server.output()).toContain('"injectors":["stamp","identity"]');
});

async function grant(name: string, resources: readonly string[], verbs: readonly string[]): Promise<void> {
  const rules = [{ apiGroups: [''], resources, verbs }];
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const metadata = { name };
  accepted(await plane.request('POST', `${rbac}/clusterroles`, { metadata, rules }));
  accepted(
    await plane.request('POST', `${rbac}/clusterrolebindings`, {
      metadata,
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: NAMESPACE }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    }),
  );
}
