import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import {
  answer,
  type Call,
  type FakeApiServer,
  refuse,
  startFakeApiServer,
} from '../cluster/fake-api-server.ts';
import { podgraft } from '../podgraft-process.ts';
import { FAULTS } from '../verify/faults.ts';
import { type FixtureServer, startFixtures } from '../verify/fixture-webhooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-verify-'));
let server: FixtureServer;
beforeAll(async () => {
  server = await startFixtures(FAULTS);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'mine', namespace: 'shop', labels: { app: 'web' } },
  spec: { containers: [{ name: 'app', image: 'a:1' }] },
};

/** With one object, so that it is quick. */
const verify = (configuration: JsonObject, ...args: string[]) => {
  const paths = [file('webhooks.json', configuration), '-f', file('pod.json', POD), '--no-corpus'];
  return podgraft(['verify', ...paths, ...args]);
};

test('prints a table with the webhook, the problem, the object and the fix', async () => {
  const { stdout, code } = await verify(
    server.configuration('labels', ['appends-each-time']),
    '--check',
    'idempotence',
  );
  expect(code).toBe(1);
  expect(stdout).toBe(`1 of 1 checks failed

✗ idempotence  labels/appends-each-time.example.com
  changes its own result again, at spec.containers[sidecar-2]
  with Pod "mine"
  The smallest object that shows it:
    apiVersion: v1
    kind: Pod
    metadata:
      name: mine
    spec:
      containers:
        - name: app
          image: a:1
  → Look for your own change before you make it: by the name of the container, the key of the label.

labels/appends-each-time.example.com
  ✗ idempotence  a second call changes nothing (1 object)
`);
});

test('succeeds if all is well', async () => {
  const { stdout, code } = await verify(server.configuration('labels', ['good']));
  expect(stdout).toMatch(/^All 14 checks passed\n/);
  expect(code).toBe(0);
});

test.each([
  ['json', /^\{\n {2}"passed": false,/],
  ['junit', /<failure message="changes its own result again, at spec\.containers\[sidecar-2\]">/],
  ['html', /<title>podgraft verify: 1 of 2 checks failed<\/title>/],
])('writes %s', async (format, expected) => {
  const checks = ['--check', 'idempotence', '--check', 'answers'];
  const { stdout, code } = await verify(
    server.configuration('labels', ['appends-each-time']),
    ...checks,
    '-o',
    format,
  );
  expect(stdout).toMatch(expected);
  expect(code).toBe(1);
});

/** The server of a webhook that is registered by its Service. */
function byService(name: string): { configuration: JsonObject; url: string } {
  const configuration = server.configuration('labels', [name]);
  const [webhook] = configuration.webhooks as unknown as {
    clientConfig: { url: string; caBundle: string };
  }[];
  const { url, caBundle } = webhook?.clientConfig ?? { url: '', caBundle: '' };
  const service = { namespace: 'system', name: 'labels', path: `/${name}` };
  return {
    configuration: {
      ...configuration,
      webhooks: [{ ...webhook, clientConfig: { service, caBundle } }],
    } as unknown as JsonObject,
    url: new URL(url).origin,
  };
}

test('a Service is called at the address given by --url, with the certificate that the API server expects', async () => {
  const { configuration, url } = byService('good');
  const args = ['--check', 'answers', '--url', `good.example.com=${url}`];
  const { stdout, code } = await verify(configuration, ...args);
  expect(stdout).toContain('certificate');
  expect(code).toBe(1);
  const trusting = await verify(configuration, ...args, '--insecure');
  expect(trusting).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  [[], 'error: Nothing to verify: pass files with webhook configurations, or --context'],
  [['WEBHOOKS', '--check', 'idempotent'], 'error: Unknown check "idempotent": did you mean "idempotence"?'],
  [['WEBHOOKS', '--url', 'x'], 'error: Cannot read --url "x": expected NAME=https://HOST:PORT/PATH'],
  [
    ['WEBHOOKS', '--url', 'god.example.com=https://localhost'],
    'error: --url names "god.example.com", which is neither a webhook nor a configuration: did you mean "good.example.com"?',
  ],
  [
    ['SERVICE'],
    'error: Cannot reach the Service of webhook "good.example.com": pass --url good.example.com=https://…, for example of a port-forward',
  ],
])('%j is refused', async (args, message) => {
  const files: { readonly [name: string]: string } = {
    WEBHOOKS: file('webhooks.json', server.configuration('labels', ['good'])),
    SERVICE: file('service.json', byService('good').configuration),
  };
  const { stderr, code } = await podgraft(['verify', ...args.map((arg) => files[arg] ?? arg)]);
  expect(stderr.trim()).toBe(message);
  expect(code).toBe(2);
});

test('a server that does not answer is a finding, not a crash', async () => {
  const gone = await startFixtures(FAULTS);
  const configuration = gone.configuration('labels', ['good']);
  await gone.stop();
  const { stdout, code } = await verify(configuration, '--check', 'answers');
  expect(stdout).toContain('connection refused');
  expect(code).toBe(1);
});

test('the webhooks of a cluster are called through its API server, by dry runs only', async () => {
  const reviews: { readonly dryRun: boolean }[] = [];
  const api = await cluster(byService('good').configuration, ({ path, body }, response) => {
    expect(path).toBe('/api/v1/namespaces/system/services/https:labels:443/proxy/good');
    const { apiVersion, kind, request } = JSON.parse(body);
    reviews.push(request);
    answer(response, { apiVersion, kind, response: { uid: request.uid, allowed: true } });
  });
  const { stdout, stderr, code } = await podgraft([
    'verify',
    ...kubeconfig(api),
    '-f',
    file('pod.json', POD),
    '--no-corpus',
  ]);
  await api.stop();
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^All 13 checks passed\n/);
  expect(stdout).not.toContain('bad-reviews');
  expect(code).toBe(0);
  expect(reviews.every(({ dryRun }) => dryRun)).toBe(true);
});

test('distinguishes a cluster that refuses the proxy from a broken webhook', async () => {
  const api = await cluster(byService('good').configuration, (_, response) =>
    refuse(
      response,
      403,
      'Forbidden',
      'services "https:labels:443" is forbidden: no create on services/proxy',
    ),
  );
  const { stderr, code } = await podgraft(['verify', ...kubeconfig(api)]);
  await api.stop();
  expect(stderr.trim()).toBe(
    'error: Cannot reach webhook "good.example.com" through the API server: services "https:labels:443" is forbidden: no create on services/proxy. Start `kubectl port-forward` to its Service and pass --url good.example.com=https://localhost:PORT',
  );
  expect(code).toBe(1);
});

function cluster(
  configuration: JsonObject,
  proxy: (call: Call, response: Parameters<typeof answer>[0]) => void,
): Promise<FakeApiServer> {
  return startFakeApiServer((call, response) => {
    if (call.method === 'POST') return proxy(call, response);
    const items = call.path.endsWith('/mutatingwebhookconfigurations') ? [configuration] : [];
    answer(response, { metadata: {}, items });
  });
}

function kubeconfig({ url }: FakeApiServer): string[] {
  const path = file('kubeconfig.json', {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  });
  return ['--kubeconfig', path];
}
