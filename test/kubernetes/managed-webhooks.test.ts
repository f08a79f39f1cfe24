import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { kubeconfig } from '../../src/control-plane/kubeconfig.ts';
import { goProgramPath } from '../../tools/go-program-path.mjs';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { printed } from './installation.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'podgraft-managed-'));
const DEPLOYMENTS = `${STAMP}  - {name: more, use: metadata, match: {kinds: [Deployment]}, with: {labels: {a: b}}}\n`;
let plane: ControlPlane;
const servers: ServerProcess[] = [];

type Webhook = { name: string; rules: object[]; clientConfig: { caBundle?: string }; timeoutSeconds: number };
type Configuration = { metadata: { generation: number; resourceVersion: string }; webhooks?: Webhook[] };

beforeAll(async () => {
  const build = join(root, 'tools/build-go-programs.mjs');
  if (!existsSync(goProgramPath('helm'))) spawnSync(process.execPath, [build, 'helm'], { stdio: 'inherit' });
  plane = await startControlPlane({ authorizationMode: 'RBAC', controllers: false });
}, 900_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  await plane.stop();
  rmSync(folder, { recursive: true });
});

/** `helm template | kubectl apply`, as Argo CD does it, with nothing but the configuration. Returns the server's own arguments. */
async function apply(config: string, ...sets: string[]): Promise<string[]> {
  const values = join(folder, 'values.json');
  writeFileSync(values, JSON.stringify({ config, webhook: { managed: true, validate: true } }));
  const flags = ['-f', values, '--set', ['namespace.create=true', ...sets].join()];
  const args = ['template', 'podgraft', join(root, 'deploy/chart'), '--namespace', 'podgraft'];
  const helm = spawnSync(goProgramPath('helm'), [...args, '--kube-version', '1.36.0', ...flags], {
    encoding: 'utf8',
  });
  expect(helm).toMatchObject({ status: 0 });
  expect(await plane.kubectl(['apply', '-f', '-'], { input: helm.stdout })).toMatchObject({ code: 0 });
  const documents = parseAllDocuments(helm.stdout).map((document) => document.toJS());
  const deployment = documents.find((each) => each?.kind === 'Deployment');
  return deployment.spec.template.spec.containers[0].args;
}

/** A replica of a Deployment with these arguments, with the permissions of its ServiceAccount. */
async function start(config: string, args: readonly string[]): Promise<ServerProcess> {
  const name = join(folder, `${servers.length}`);
  writeFileSync(`${name}.yaml`, config);
  const token = await plane.kubectl(['create', 'token', 'podgraft', '-n', 'podgraft']);
  expect(token).toMatchObject({ code: 0 });
  writeFileSync(`${name}.json`, kubeconfig({ ...plane, token: token.stdout.trim(), namespace: 'podgraft' }));
  const own = args.filter((arg) => /^--(manage-webhooks|service|webhook)=/.test(arg));
  expect(own).toHaveLength(3);
  const server = await startProcess([
    ...['--http', '--config', `${name}.yaml`, '--kubeconfig', `${name}.json`],
    ...own,
  ]);
  servers.push(server);
  return server;
}

const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/podgraft';
const stored = async () => accepted(await plane.request<Configuration>('GET', path));
const names = async () => (await stored()).webhooks?.map(({ name }) => name) ?? [];
const has = (...expected: string[]) =>
  eventually(`webhooks ${expected}`, async () => (await names()).join() === expected.join());

it('a chart with nothing but the configuration gets the rules that podgraft manifests prints', async () => {
  const args = await apply(STAMP);
  expect((await stored()).webhooks).toBeUndefined();
  await start(STAMP, args);
  await has('pods.podgraft.dev');
  const config = join(folder, 'podgraft.yaml');
  writeFileSync(config, STAMP);
  const objects = parseAllDocuments(await printed(config)).map((document) => document.toJS());
  const wanted = objects.find(({ kind }) => kind === 'MutatingWebhookConfiguration');
  // With the defaults that the API server adds.
  expect((await stored()).webhooks).toMatchObject(wanted.webhooks);
  const checks = path.replace('mutating', 'validating');
  await eventually('the final check', async () => {
    const { webhooks } = accepted(await plane.request<Configuration>('GET', checks));
    return webhooks?.length === 1;
  });
});

it('applying the same again changes nothing, and the CA stays when rules change', async () => {
  accepted(
    await plane.request(
      'PATCH',
      path,
      [
        {
          op: 'add',
          path: '/webhooks/0/clientConfig/caBundle',
          value: Buffer.from(plane.ca).toString('base64'),
        },
      ],
      { contentType: 'application/json-patch+json' },
    ),
  );
  const before = await stored();
  await apply(STAMP);
  await sleep(1500);
  expect(await stored()).toEqual(before);
  await apply(STAMP, 'webhook.timeoutSeconds=7');
  await eventually('the timeout', async () => (await stored()).webhooks?.[0]?.timeoutSeconds === 7);
  expect((await stored()).webhooks?.[0]?.clientConfig.caBundle).toBe(
    Buffer.from(plane.ca).toString('base64'),
  );
});

it('a changed configuration changes the rules once a replica has it, and going back does too', async () => {
  const args = await apply(DEPLOYMENTS);
  // The old replica does not change them.
  await sleep(1500);
  expect(await names()).toEqual(['pods.podgraft.dev']);
  await start(DEPLOYMENTS, args);
  await has('pods.podgraft.dev', 'deployments.apps.podgraft.dev');
  await apply(STAMP);
  await has('pods.podgraft.dev');
});

it('removed webhooks are restored', async () => {
  accepted(
    await plane.request('PATCH', path, [{ op: 'remove', path: '/webhooks/0' }], {
      contentType: 'application/json-patch+json',
    }),
  );
  await has('pods.podgraft.dev');
});
