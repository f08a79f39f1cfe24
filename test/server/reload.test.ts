import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ServerProcess, startProcess } from '../podgraft-process.ts';
import { review } from './fixtures.ts';

let folder: string;
let server: ServerProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-reload-'));
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

const WAIT = { timeout: 20_000 };
const BODY = JSON.stringify(review);
const path = (name: string) => join(folder, name);

/** Two injectors with the same value, so that a review that sees parts of two configurations shows. */
const config = (value: string, more = '') => `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: one, use: metadata, with: {labels: {one: "${value}"}}}
  - {name: two, use: metadata, with: {annotations: {two: "${value}"}}}
${more}`;

async function start(text: string, ...args: string[]): Promise<ServerProcess> {
  writeFileSync(path('podgraft.yaml'), text);
  server = await startProcess(['--http', '--config', path('podgraft.yaml'), ...args]);
  return server;
}

interface Reply {
  readonly status: number;
  readonly patch: string;
}

function mutate(port: number, agent?: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(BODY) };
    const options = { port, path: '/mutate?timeout=10s', method: 'POST', headers, ...(agent && { agent }) };
    const call = request(options, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        const answer = status === 200 ? JSON.parse(text).response.patch : undefined;
        resolve({ status, patch: Buffer.from(answer ?? '', 'base64').toString() });
      });
    });
    call.on('error', reject);
    call.end(BODY);
  });
}

async function monitoring(name: '/readyz' | '/metrics'): Promise<string> {
  return (await fetch(`http://127.0.0.1:${server?.metricsPort}${name}`)).text();
}

const injected = async () => (await mutate(server?.port ?? 0)).patch;

describe('a changed configuration', { timeout: 60_000 }, () => {
  test('takes effect without losing a request, and no request sees half of it', async () => {
    const { port, output } = await start(config('v0'));
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const replies: Reply[] = [];
    let isOver = false;
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isOver) replies.push(await mutate(port, agent));
      }),
    );
    for (let change = 1; change <= 5; change++) {
      // In place, like careless writers.
      writeFileSync(path('podgraft.yaml'), config(`v${change}`));
      await expect.poll(injected, WAIT).toContain(`v${change}`);
    }
    isOver = true;
    await load;
    agent.destroy();
    expect(replies.length).toBeGreaterThan(100);
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    const values = replies.map(({ patch }) => new Set(patch.match(/v\d/g)));
    expect(values.filter(({ size }) => size !== 1)).toEqual([]);
    expect(new Set(values.flatMap((each) => [...each])).size).toBe(6);
    expect(output().match(/"configuration reloaded"/g)).toHaveLength(5);
    expect(await monitoring('/metrics')).toContain('podgraft_config_reloads_total{result="accepted"} 5');
  });

  test('that is invalid does not take effect, shows, and is forgotten once it is fixed', async () => {
    const { output } = await start(config('v0'));
    writeFileSync(path('podgraft.yaml'), config('v1', '  - {name: three, use: metadatta}'));
    await expect.poll(() => monitoring('/readyz'), WAIT).toContain('configuration not reloaded');
    const ready = await monitoring('/readyz');
    expect(ready).toMatch(/^ok\n/);
    expect(ready).toContain('podgraft.yaml:6: injectors.2.use: unknown injector "metadatta"');
    expect(await monitoring('/metrics')).toContain('podgraft_config_rejected 1');
    expect(output()).toContain('configuration not reloaded, the previous one stays in force');
    expect(await injected()).toContain('v0');

    writeFileSync(path('podgraft.yaml'), config('v2'));
    await expect.poll(() => monitoring('/readyz'), WAIT).toBe('ok\n');
    expect(await injected()).toContain('v2');
    expect(await monitoring('/metrics')).toContain('podgraft_config_rejected 0');
  });

  test('that matches a new kind reports the kind and the command that prints the manifests', async () => {
    await start(config('v0'));
    const more = '  - {name: three, use: metadata, match: {kinds: [Deployment]}, with: {labels: {a: b}}}';
    writeFileSync(path('podgraft.yaml'), config('v1', more));
    await expect
      .poll(() => monitoring('/readyz'), WAIT)
      .toContain(
        `configuration: the webhook was not registered for CREATE deployments.apps; apply the output of \`podgraft manifests --config ${path('podgraft.yaml')}\``,
      );
    expect(await injected()).toContain('v1');
    writeFileSync(path('podgraft.yaml'), config('v2'));
    await expect.poll(() => monitoring('/readyz'), WAIT).toBe('ok\n');
  });

  test('is noticed in a mounted ConfigMap, whose files change together', async () => {
    const publish = (version: string) => {
      mkdirSync(path(`..${version}`));
      writeFileSync(path(`..${version}/podgraft.yaml`), config(version, '  - {name: own, use: ./own.mjs}'));
      writeFileSync(path(`..${version}/own.mjs`), module(version));
      symlinkSync(`..${version}`, path('..data_tmp'));
      renameSync(path('..data_tmp'), path('..data'));
    };
    publish('v1');
    for (const file of ['podgraft.yaml', 'own.mjs']) symlinkSync(join('..data', file), path(file));
    server = await startProcess(['--http', '--config', path('podgraft.yaml')]);
    expect(new Set((await injected()).match(/v\d/g))).toEqual(new Set(['v1']));
    publish('v2');
    const seen: string[] = [];
    const versions = async () => [...new Set((await injected()).match(/v\d/g))].join();
    await expect
      .poll(async () => {
        seen.push(await versions());
        return seen.at(-1);
      }, WAIT)
      .toBe('v2');
    expect(seen.filter((each) => each !== 'v1' && each !== 'v2')).toEqual([]);
  });

  test('reaches all workers', async () => {
    await start(config('v0'), '--workers', '2');
    await expect.poll(() => monitoring('/readyz'), { timeout: 20_000 }).toBe('ok\n');
    writeFileSync(path('podgraft.yaml'), 'kind: Nonsense');
    await expect
      .poll(() => monitoring('/metrics'), WAIT)
      .toContain('podgraft_config_reloads_total{result="rejected"} 2');
    await expect.poll(() => monitoring('/readyz'), WAIT).toMatch(/^ok\nconfiguration not reloaded.*\n.*\n/);
  });
});

describe('a changed file', { timeout: 60_000 }, () => {
  const own = '  - {name: own, use: ./own.mjs}';

  test('is reloaded if it is a module, or imported by one', async () => {
    writeFileSync(path('text.mjs'), `export const text = 'm0';`);
    writeFileSync(
      path('own.mjs'),
      module('x').replace("'x'", 'text').replace('export', "import { text } from './text.mjs';\nexport"),
    );
    await start(config('v0', own));
    expect(await injected()).toContain('m0');
    writeFileSync(path('text.mjs'), `export const text = 'm1';`);
    await expect.poll(injected, WAIT).toContain('m1');
    writeFileSync(path('own.mjs'), module('m2'));
    await expect.poll(injected, WAIT).toContain('m2');
  });

  test('keeps the last module that could be loaded', async () => {
    writeFileSync(path('own.mjs'), module('m0'));
    await start(config('v0', own));
    writeFileSync(path('own.mjs'), 'export default {');
    await expect.poll(() => monitoring('/readyz'), WAIT).toContain('Cannot load module "./own.mjs"');
    expect(await injected()).toContain('m0');
    unlinkSync(path('own.mjs'));
    await expect.poll(() => monitoring('/readyz'), WAIT).toContain('Cannot find module');
    writeFileSync(path('own.mjs'), module('m3'));
    await expect.poll(injected, WAIT).toContain('m3');
    expect(await monitoring('/readyz')).toBe('ok\n');
  });

  test('is read again if it has objects of the cluster', async () => {
    const namespace = (labels: string) =>
      `{apiVersion: v1, kind: Namespace, metadata: {name: ${review.request.namespace}, labels: ${labels}}}`;
    writeFileSync(path('cluster.yaml'), namespace('{}'));
    const match = 'match: {namespaceSelector: {matchLabels: {team: a}}}';
    await start(
      config('v0', `  - {name: three, use: metadata, ${match}, with: {labels: {three: m1}}}`),
      '--cluster',
      path('cluster.yaml'),
    );
    expect(await injected()).not.toContain('m1');
    writeFileSync(path('cluster.yaml'), namespace('{team: a}'));
    await expect.poll(injected, WAIT).toContain('m1');
  });
});

const module = (value: string) => `export default {
  name: 'own', summary: '', match: {kinds: ['Pod']},
  inject: () => ({overlay: {metadata: {annotations: {own: '${value}'}}}}),
};`;
