import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestItem, RunView } from '../../src/page/view.ts';
import { listen, type PlaygroundProcess, postRun, startPlaygroundProcess } from './playground-process.ts';

const POD = `apiVersion: v1
kind: Pod
metadata:
  name: myapp # a comment
spec:
  containers:
    - name: web
      image: nginx:1.27
`;

let playground: PlaygroundProcess;
beforeAll(async () => {
  playground = await startPlaygroundProcess();
});
afterAll(() => playground.stop());

describe('a run', () => {
  test('shows the Pod with the changes of each injector, on the lines that they added', async () => {
    const view = await playground.view(POD);
    expect(view).toMatchObject({ verdict: 'changed', before: POD, warnings: [] });
    expect(view.after).toContain('  name: myapp # a comment\n');
    const stamp = view.changes.find(({ owner }) => owner === 'stamp');
    expect(stamp).toMatchObject({ path: 'metadata.annotations', type: 'added' });
    const [first, last] = stamp?.lines ?? [0, 0];
    const lines = view.after.split('\n').slice(first - 1, last);
    expect(lines).toEqual(['  annotations:', '    injected-by: my-webhook']);
  });

  test('lists all injectors with reasons, and the request path from authentication to storage', async () => {
    const view = await playground.view(POD);
    expect(view.injectors.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['stamp', 'changed'],
      ['platform-defaults', 'changed'],
      ['two-replicas', 'not matched'],
    ]);
    expect(view.stops[0]).toMatchObject({ title: 'Authentication', outcome: 'passed' });
    expect(view.stops.at(-1)).toMatchObject({ title: 'Storage', outcome: 'passed' });
    const own = view.stops.find(({ title }) => title === 'pods.podgraft.dev');
    expect(own).toMatchObject({ outcome: 'changed', phase: 'mutating', round: 0 });
    expect(own?.patch).not.toHaveLength(0);
    expect(own?.findings?.map(({ rule }) => rule)).toContain('unchecked-ignore');
    expect(new Set(view.stops.map(({ id }) => id)).size).toBe(view.stops.length);
  });

  test('an injector that is off does nothing; another order gives the same Pod', async () => {
    const all = await playground.view(POD);
    const without = await playground.view(POD, { off: ['stamp'] });
    expect(without.injectors[0]).toMatchObject({ name: 'stamp', outcome: 'off' });
    expect(without.after).not.toContain('injected-by');
    const reordered = await playground.view(POD, { order: ['platform-defaults', 'stamp'] });
    expect(reordered.after).toContain('injected-by');
    const sorted = ({ after }: RunView) => after.split('\n').toSorted();
    expect(sorted(reordered)).toEqual(sorted(all));
  });

  test('a workload is followed by the Pod of its template', async () => {
    const yaml = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: prod-a}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;
    const answer = await playground.run({ yaml });
    const runs = 'runs' in answer ? answer.runs : [];
    expect(runs.map(({ request }) => [request.kind, request.name, request.namespace])).toEqual([
      ['Deployment', 'web', 'prod-a'],
      ['Pod', 'web-*', 'prod-a'],
    ]);
    expect(runs[0]?.changes).toMatchObject([{ path: 'spec.replicas', owner: 'two-replicas' }]);
    expect(runs[1]?.changes.map(({ owner }) => owner)).toContain('stamp');
  });

  test('the API server rejects what it would reject on a cluster, with the same message', async () => {
    const view = await playground.view(POD.replace('name: web', 'name: Web_1'));
    expect(view).toMatchObject({ verdict: 'denied', denial: { code: 422, reason: 'Invalid' } });
    expect(view.denial?.message).toContain('Pod "myapp" is invalid: spec.containers[0].name');
    expect(view.stops.at(-1)).toMatchObject({ title: 'Storage', outcome: 'not reached' });
  });

  test('broken YAML has a line and a column', async () => {
    expect(await playground.run({ yaml: 'apiVersion: v1\nkind: Pod\nmetadata: {name: [}\n' })).toEqual({
      errors: [{ line: 3, column: 19, message: expect.any(String) }],
    });
    expect(await playground.run({ yaml: `${POD}---\n# nothing\nkind: Pod\n` })).toEqual({
      errors: [{ line: 11, column: 1, message: 'not a Kubernetes object: apiVersion or kind is missing' }],
    });
  });

  test('a run appears in the list and as an event, and can be opened', async () => {
    const listening = await listen(`${playground.url}api/events`);
    const view = await playground.view(POD.replace('myapp', 'listed'));
    await expect.poll(() => listening.events.map(({ name }) => name)).toEqual(['state', 'request']);
    listening.stop();
    const [newest] = await playground.get<RequestItem[]>('api/requests');
    expect(newest).toMatchObject({ name: 'listed', verdict: 'changed' });
    expect(newest?.injectors).toEqual(['stamp', 'platform-defaults']);
    expect(await playground.get(`api/requests/${newest?.uid}`)).toEqual(view);
  });
});

describe('injectors and objects that fail', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-playground-'));
  let own: PlaygroundProcess;
  beforeAll(async () => {
    writeFileSync(
      join(folder, 'podgraft.yaml'),
      'apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors: [{name: strict, use: ./strict.ts}]\n',
    );
    writeFileSync(
      join(folder, 'strict.ts'),
      `import { deny, skip } from 'podgraft';
export default {
  name: 'strict', summary: 'Denies', match: {},
  inject({ metadata: { name } }) {
    if (name === 'broken') throw new Error('boom');
    return name === 'denied' ? deny('not this one') : skip('nothing wrong');
  },
};
`,
    );
    own = await startPlaygroundProcess(['--config', join(folder, 'podgraft.yaml')]);
  });
  afterAll(async () => {
    await own.stop();
    rmSync(folder, { recursive: true });
  });

  test('a denial, a failure and a skip are distinguished, with their injector', async () => {
    expect(await own.view(POD.replace('myapp', 'denied'))).toMatchObject({
      verdict: 'denied',
      denial: {
        code: 403,
        by: 'strict',
        message: expect.stringContaining('denied the request: not this one'),
      },
      injectors: [{ outcome: 'denied', reason: 'not this one' }],
    });
    // The webhook fails open, as `podgraft manifests` registers it.
    expect(await own.view(POD.replace('myapp', 'broken'))).toMatchObject({
      verdict: 'failed',
      denial: { code: 500, by: 'strict', message: expect.stringContaining('boom') },
      injectors: [{ outcome: 'failed' }],
    });
    expect(await own.view(POD)).toMatchObject({
      verdict: 'unchanged',
      injectors: [{ outcome: 'skipped', reason: 'nothing wrong' }],
    });
  });

  test.each([
    ['a Pod without a spec', 'kind: Pod\napiVersion: v1\n', 'denied'],
    ['containers that are not a list', 'kind: Pod\napiVersion: v1\nspec: {containers: x}\n', 'denied'],
    ['a name that is a number', POD.replace('name: myapp', 'name: 5'), 'denied'],
    ['a custom resource', 'kind: Widget\napiVersion: example.com/v1\nmetadata: {name: a}\n', 'unchanged'],
    [
      'a webhook configuration without a valid address',
      'kind: MutatingWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v1\nmetadata: {name: a}\nwebhooks: [{name: a.b.c, clientConfig: {url: nonsense}}]\n',
      'denied',
    ],
  ])('%s is answered', async (_, yaml, verdict) => {
    for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
      const answer = await own.run({ yaml: `${yaml}---\n${POD}`, operation });
      const runs = 'runs' in answer ? answer.runs : [];
      expect(runs).toHaveLength(2);
      if (operation === 'CREATE') expect(runs[0]?.verdict).toBe(verdict);
      expect(runs[1]?.verdict).toBe('unchanged');
    }
  });
});

describe('the server', () => {
  test('answers only its own page: other hosts, origins, methods and types are refused', async () => {
    const body = JSON.stringify({ yaml: POD });
    const { port } = new URL(playground.url);
    const statusWith = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        request({ port, path: '/api/state', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end();
      });
    expect(await statusWith({ Host: 'rebound.example.com' })).toBe(403);
    expect(await statusWith({ Host: `127.0.0.1:${port}` })).toBe(200);
    expect(await statusWith({ Host: `localhost:${port}`, Origin: 'http://evil.example.com' })).toBe(403);
    expect(await statusWith({ Host: `localhost:${port}`, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect((await postRun(playground.url, body, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await fetch(`${playground.url}api/run`)).status).toBe(405);
    expect((await fetch(`${playground.url}api/state`, { method: 'DELETE' })).status).toBe(405);
  });

  test('refuses bodies that are too large or invalid', async () => {
    expect((await postRun(playground.url, '{"yaml": 1}')).status).toBe(400);
    expect((await postRun(playground.url, '[')).status).toBe(400);
    expect((await postRun(playground.url, '{"yaml": "", "off": [1]}')).status).toBe(400);
    const large = JSON.stringify({ yaml: 'x'.repeat(3 * 1024 * 1024) });
    expect((await postRun(playground.url, large)).status).toBe(413);
  });

  test('forbids all external content, and storage', async () => {
    const { headers } = await fetch(`${playground.url}api/state`);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect((await fetch(`${playground.url}../package.json`)).status).toBe(404);
    expect((await fetch(`${playground.url}%2e%2e/cli/main.js`)).status).toBe(404);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ends on %s', async (signal) => {
    const own = await startPlaygroundProcess();
    const listening = await listen(`${own.url}api/events`);
    expect(await own.stop(signal)).toBe(0);
    listening.stop();
  });
});

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-playground-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const config = join(folder, 'podgraft.yaml');
  const configure = (annotation: string) =>
    writeFileSync(
      config,
      `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {saved: ${annotation}}}}
  - {name: own, use: ./own.ts}
  - {name: zone, use: overlay, match: {namespaceSelector: {matchLabels: {team: a}}}, with: {overlay: {spec: {hostname: a}}}}
`,
    );
  const value = (text: string) =>
    writeFileSync(join(folder, 'value.ts'), `export const value = '${text}';\n`);

  test('take effect when they are saved; a broken one does not, and its error is shown', async () => {
    configure('one');
    value('first');
    writeFileSync(
      join(folder, 'own.ts'),
      `import { overlay } from 'podgraft';
import { value } from './value.ts';
export default { name: 'own', summary: 'Adds a label', match: {}, inject: () => overlay({ metadata: { labels: { own: value } } }) };
`,
    );
    const cluster = join(folder, 'cluster');
    mkdirSync(cluster);
    const live = await startPlaygroundProcess(['--config', config, '--cluster', cluster]);
    try {
      const listening = await listen(`${live.url}api/events`);
      const injected = async () => (await live.view(POD)).after;
      expect(await injected()).toMatch(/own: first[\s\S]*saved: one|saved: one[\s\S]*own: first/);
      configure('two');
      await expect.poll(injected).toContain('saved: two');
      value('second');
      await expect.poll(injected).toContain('own: second');
      writeFileSync(
        join(cluster, 'namespace.yaml'),
        'apiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {team: a}}\n',
      );
      await expect.poll(injected).toContain('hostname: a');
      writeFileSync(
        config,
        'apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors: [{name: x, use: nothing}]\n',
      );
      await expect
        .poll(async () => (await live.state()).configuration?.error)
        .toContain('podgraft.yaml:3: injectors.0.use: unknown injector "nothing"');
      expect(await injected()).toContain('saved: two');
      configure('three');
      await expect.poll(injected).toContain('saved: three');
      expect((await live.state()).configuration).not.toHaveProperty('error');
      expect(listening.events.filter(({ name }) => name === 'state').length).toBeGreaterThan(4);
      listening.stop();
    } finally {
      await live.stop();
    }
  });

  test('that are invalid at the start end the command with their error', async () => {
    await expect(startPlaygroundProcess(['--config', join(folder, 'missing.yaml')])).rejects.toThrow(
      /ended with 1: error: Cannot read configuration .* no such file/,
    );
  });
});
