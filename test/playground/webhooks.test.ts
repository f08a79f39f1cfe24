import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { MAIN } from '../podgraft-process.ts';
import { newPair, trusted } from '../server/fixtures.ts';
import { type PlaygroundProcess, startPlaygroundProcess } from './playground-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-webhooks-'));
const { cert, key } = newPair();
/** A third-party webhook: adds a sidecar, and denies Pods that are called "denied". */
const other = createServer({ cert, key }, async (request, response) => {
  const { request: asked } = (await json(request)) as {
    request: { uid: string; object: { metadata: { name: string } } };
  };
  const patch = [{ op: 'add', path: '/spec/containers/-', value: { name: 'sidecar', image: 'sidecar:1' } }];
  const denied = asked.object.metadata.name === 'denied';
  const answer = denied
    ? { allowed: false, status: { code: 418, message: 'not today' } }
    : {
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
      };
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: asked.uid, ...answer },
    }),
  );
});

const verified = join(folder, 'report.json');
writeFileSync(verified, '{"webhooks": [], "checks": []}');

let playground: PlaygroundProcess;
beforeAll(async () => {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const webhook = join(folder, 'webhook.yaml');
  writeFileSync(
    webhook,
    stringify({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'another' },
      webhooks: [
        {
          name: 'sidecar.example.com',
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: Buffer.from(trusted).toString('base64'),
          },
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 30,
        },
      ],
    }),
  );
  playground = await startPlaygroundProcess([
    '--webhook',
    webhook,
    '--cluster',
    policyFile(),
    '--verified',
    verified,
  ]);
});
afterAll(async () => {
  await playground.stop();
  other.close();
  rmSync(folder, { recursive: true });
});

function policyFile(): string {
  const file = join(folder, 'policy.yaml');
  writeFileSync(
    file,
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: no-token}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: "Object{spec: Object.spec{automountServiceAccountToken: false}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: no-token}
spec: {policyName: no-token}
`,
  );
  return file;
}

const pod = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: app, image: nginx}]}\n`;

test('third-party webhooks are called over HTTPS, and policies evaluated; each owns its changes', async () => {
  const view = await playground.view(pod('web'));
  const owners = Object.fromEntries(view.changes.map(({ path, owner }) => [path, owner]));
  expect(owners).toMatchObject({
    'spec.containers[sidecar]': 'sidecar.example.com',
    'spec.automountServiceAccountToken': 'no-token',
    'metadata.annotations': 'stamp',
  });
  // Podgraft runs again after the other webhook, and injects its container too.
  expect(owners['spec.containers[sidecar].env']).toBe('platform-defaults');
  const stop = view.stops.find(({ title }) => title === 'sidecar.example.com');
  expect(stop).toMatchObject({ outcome: 'changed', patch: [{ path: '/spec/containers/-' }] });
  expect(stop?.findings?.map(({ rule }) => rule)).toContain('timeout');
});

test('findings of verify are shown beside the webhook, also if the report is written later', async () => {
  const findings = async () => {
    const { stops } = await playground.view(pod('web'));
    return stops.find(({ title }) => title === 'sidecar.example.com')?.findings ?? [];
  };
  expect((await findings()).map(({ rule }) => rule)).not.toContain('own-output');
  const args = ['verify', join(folder, 'webhook.yaml'), '--check', 'own-output', '-o', 'json'];
  const report = await promisify(execFile)(process.execPath, [MAIN, ...args]).catch((failed) => failed);
  expect(report.code).toBe(1);
  writeFileSync(verified, report.stdout);
  await expect
    .poll(findings, { timeout: 10_000 })
    .toContainEqual(expect.objectContaining({ rule: 'own-output', severity: 'error' }));
});

test('a report of something else is an error that names the file', async () => {
  const started = startPlaygroundProcess(['--verified', join(folder, 'webhook.yaml')]);
  await expect(started).rejects.toThrow(/webhook\.yaml": not a report of "podgraft verify -o json"/);
});

test("a denial is shown with the API server's message and its author", async () => {
  const view = await playground.view(pod('denied'));
  expect(view).toMatchObject({
    verdict: 'denied',
    denial: {
      code: 418,
      message: 'admission webhook "sidecar.example.com" denied the request: not today',
      by: 'sidecar.example.com',
    },
  });
});
