import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { registerMutating } from './register-webhook.ts';
import { startWebhook, type WebhookFixture } from './webhook-fixture.ts';

let folder: string;
let plane: ControlPlane;
let webhook: WebhookFixture;
let log: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podgraft-loops-'));
  log = join(folder, 'audit.log');
  const policy = join(folder, 'policy.yaml');
  await writeFile(policy, (await podgraft(['loops', '--policy'])).stdout);
  plane = await startControlPlane({
    controllers: false,
    apiServerArgs: [
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${log}`,
      '--audit-log-mode=blocking-strict',
    ],
  });
  webhook = await startWebhook(({ object }) => {
    const { metadata } = object as { metadata: { labels?: object } };
    if (metadata.labels !== undefined && 'team' in metadata.labels) return {};
    const labels = metadata.labels === undefined ? [{ op: 'add', path: '/metadata/labels', value: {} }] : [];
    return { patch: [...labels, { op: 'add', path: '/metadata/labels/team', value: 'a' }] };
  });
  await registerMutating(plane, {
    name: 'labels',
    url: webhook.url,
    caBundle: webhook.caBundle,
    rules: [
      {
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['deployments'],
      },
    ],
  });
});

afterAll(async () => {
  await webhook?.stop();
  await plane?.stop();
  await rm(folder, { recursive: true });
});

const path = '/apis/apps/v1/namespaces/default/deployments';

/** As its author writes it: without the label. */
function deployment(name: string, image: string) {
  return {
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
    },
  };
}

async function loops() {
  const { stdout, stderr } = await podgraft(['loops', log, '-o', 'json']);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('an ordinary log of 1,000 creates and updates has no loops', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `web-${index}`);
  for (const name of names) {
    accepted(await plane.request('POST', path, deployment(name, 'web:0')));
    // The webhook adds its label again each time, since the author never sends it.
    for (const version of [1, 2, 3])
      accepted(await plane.request('PUT', `${path}/${name}`, deployment(name, `web:${version}`)));
  }
  const { writes, foreign, withoutBodies, loops: found } = await loops();
  expect(writes).toBeGreaterThanOrEqual(1000);
  expect({ foreign, withoutBodies, found }).toEqual({ foreign: 0, withoutBodies: 0, found: [] });
}, 240_000);

test('names the webhook, the controller that fights it, and the field', async () => {
  accepted(await plane.request('POST', path, deployment('fought', 'web:0')));
  const patch = JSON.stringify({ metadata: { labels: { team: null } } });
  for (let round = 0; round < 5; round++) {
    const args = [
      'patch',
      'deployment',
      'fought',
      '--type=merge',
      '-p',
      patch,
      '--as=cleaner',
      '--as-group=system:masters',
    ];
    const { code, stderr } = await plane.kubectl(args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  }
  const { loops: found } = await loops();
  expect(found).toHaveLength(1);
  const [loop] = found;
  expect(loop).toMatchObject({
    resource: 'deployments.apps',
    namespace: 'default',
    name: 'fought',
    path: '/metadata/labels/team',
  });
  const writers = loop.writers.map((each: { kind: string; name: string; value: string }) => [
    each.kind,
    each.name,
    each.value,
  ]);
  expect(writers.toSorted()).toEqual([
    ['user', 'cleaner', '(absent)'],
    ['webhook', 'labels.podgraft.test', '"a"'],
  ]);
  expect(loop.suggestion).toContain(
    'webhook "labels.podgraft.test" sets /metadata/labels/team again whenever cleaner',
  );
}, 120_000);
