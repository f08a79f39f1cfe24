import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';
import { accepted } from './client.ts';
import { printed } from './installation.ts';
import { createNamespace } from './namespace.ts';
import { nginxDeployment, nginxPod } from './pods.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const NAME = 'podgraft-live';
const folder = mkdtempSync(join(tmpdir(), 'podgraft-live-'));
const CONFIG = `${STAMP}  - name: of-namespace
    use: metadata
    match: {namespaceSelector: {matchLabels: {team: a}}}
    with: {labels: {team: a}}
  - name: module
    use: ./module.mjs
`;

beforeAll(async () => {
  writeFileSync(join(folder, 'podgraft.yaml'), CONFIG);
  writeFileSync(
    join(folder, 'module.mjs'),
    `export default { name: 'm', summary: 'm', match: {}, inject: () => ({ skip: 'from the ConfigMap' }) };\n`,
  );
  const flags = ['--name', NAME, '--namespace', NAME, '--only-namespaces', 'nobody-has-this'];
  const manifests = await printed(join(folder, 'podgraft.yaml'), ...flags);
  expect(await plane.kubectl(['apply', '-f', '-'], { input: manifests })).toMatchObject({ code: 0 });
  await createNamespace(plane, 'live', { team: 'a' });
  accepted(await plane.request('POST', '/api/v1/namespaces/live/pods', nginxPod('web')));
  accepted(
    await plane.request('POST', '/apis/apps/v1/namespaces/live/deployments', nginxDeployment('shop', 0)),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await plane.kubectl(['delete', 'mutatingwebhookconfiguration', NAME]);
});

const explain = (...args: string[]) =>
  podgraft(['explain', '--kubeconfig', plane.kubeconfig, '--webhook', NAME, ...args], { cwd: tmpdir() });

it('explains a Pod of the cluster by the configuration in force and the objects of the cluster', async () => {
  const { code, stdout, stderr } = await explain('pod/web', '-n', 'live');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toBe(
    [
      'Pod "web" in live  namespace live',
      '  stamp         grafted    1 change',
      '    + /metadata/annotations  {"injected-by":"my-webhook"}',
      '  of-namespace  grafted    1 change',
      '    + /metadata/labels/team  "a"',
      '  module        skipped    from the ConfigMap',
      '',
    ].join('\n'),
  );
});

it('explains the Pods of a Deployment', async () => {
  const { stdout } = await explain('deploy/shop', '-n', 'live');
  expect(stdout).toContain('  as Pod, from /spec/template\n  stamp         grafted    1 change\n');
});

it('injects files as the cluster would', async () => {
  const { code, stdout } = await podgraft(
    ['inject', '-f', '-', '-n', 'live', '--kubeconfig', plane.kubeconfig, '--webhook', NAME],
    { cwd: tmpdir(), input: JSON.stringify(nginxPod('new')) },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/injected-by: my-webhook/);
  expect(stdout).toMatch(/team: a/);
});

it.each([
  [['pod/ghost', '-n', 'live'], 'error: Pod "ghost" not found in namespace "live"\n'],
  [
    ['pod/web', '-n', 'live', '--webhook', 'other'],
    'error: Cannot find the configuration in force: MutatingWebhookConfiguration "other" not found; --webhook names another\n',
  ],
])('explain %j names what is missing', async (args, message) => {
  const { code, stderr } = await explain(...args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: message });
});

it('a wrong resource is a usage error', async () => {
  const { code, stderr } = await explain('service/web');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: "service/web": expected pod/NAME, deploy/NAME or another workload; use -f for files\n',
  });
});

it('audit finds the Pods that were created before Podgraft, and nothing else once they are complete', async () => {
  const audit = () =>
    podgraft(['audit', '--kubeconfig', plane.kubeconfig, '--webhook', NAME, '-n', 'live', '-o', 'json'], {
      cwd: tmpdir(),
    });
  const { code, stdout } = await audit();
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout) as { findings: { workload: object; injector: string }[] };
  expect(findings.map(({ workload, injector }) => ({ ...workload, injector }))).toEqual([
    { apiVersion: 'v1', kind: 'Pod', name: 'web', injector: 'of-namespace' },
    { apiVersion: 'v1', kind: 'Pod', name: 'web', injector: 'stamp' },
  ]);
  const complete = { metadata: { labels: { team: 'a' }, annotations: { 'injected-by': 'my-webhook' } } };
  await plane.kubectl(['patch', 'pod', 'web', '-n', 'live', '--type=merge', '-p', JSON.stringify(complete)]);
  expect(await audit()).toMatchObject({ code: 0, stderr: '' });
});
