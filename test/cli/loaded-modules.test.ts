import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIN } from '../podgraft-process.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podgraft-modules-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const HEAD = 'apiVersion: podgraft.dev/v1alpha1\nkind: Config\ninjectors:\n';
const PLAIN = `${HEAD}
  - {name: stamp, use: metadata, with: {labels: {a: b}}}
  - {name: env, use: overlay, with: {overlay: {spec: {containers: [{name: "*", env: [{name: A, value: b}]}]}}}}
`;
const CONDITION = `${HEAD}
  - {name: stamp, use: metadata, match: {conditions: ["object.metadata.name == 'web'"]}, with: {labels: {a: b}}}
`;
const EXPRESSION = `${HEAD}
  - {name: stamp, use: overlay, with: {overlay: {metadata: {labels: {a: {$cel: object.metadata.name}}}}}}
`;
const POD =
  '{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web:1}]}}\n';

/** The files that a process has loaded by its end: Node writes them down for coverage. */
async function loadedBy(title: string, config: string, args: readonly string[]): Promise<readonly string[]> {
  const own = join(folder, title.replaceAll(' ', '-'));
  const file = `${own}.yaml`;
  await writeFile(file, config);
  const env = { ...process.env, NODE_V8_COVERAGE: own };
  const child = spawn(process.execPath, [MAIN, ...args, '--config', file], { env, stdio: 'pipe' });
  child.stdin.end(POD);
  // A server is ended once it answers; the other commands exit on their own.
  createInterface(child.stdout).on('line', async (line) => {
    if (!line.includes('"msg":"listening"')) return;
    await fetch(`http://127.0.0.1:${JSON.parse(line).metricsPort}/readyz`);
    child.kill('SIGTERM');
  });
  child.stderr.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
  const files = await readdir(own);
  const texts = await Promise.all(files.map((name) => readFile(join(own, name), 'utf8')));
  return texts.flatMap((text) => (JSON.parse(text).result as { url: string }[]).map(({ url }) => url));
}

const BUILD = `${pathToFileURL(realpathSync(dirname(dirname(MAIN))))}/`;

/** The folders of the build that have a loaded module; those of injectors one by one. */
function foldersOf(urls: readonly string[]): readonly string[] {
  const own = urls.filter((url) => url.startsWith(BUILD)).map((url) => url.slice(BUILD.length));
  return [...new Set(own.map((file) => /^(injectors\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? '.'))].toSorted();
}

/** Modules that only expressions need. */
const isEngine = (folder: string) => folder === 'cel' || folder === 'policy';
const COMMANDS = {
  serve: ['serve', '--http', '--port', '0', '--metrics-port', '0', '--cluster', folderOfNothing()],
  inject: ['inject', '-f', '-'],
  manifests: ['manifests'],
};

function folderOfNothing(): string {
  return new URL('../../examples/quickstart', import.meta.url).pathname;
}

it.each(Object.entries(COMMANDS))(
  '%s does not load the CEL engine without expressions',
  async (name, args) => {
    const urls = await loadedBy(`plain ${name}`, PLAIN, args);
    expect(urls.some((url) => url.endsWith('/config/load-config.js'))).toBe(true);
    expect(foldersOf(urls).filter(isEngine)).toEqual([]);
  },
);

it('serve loads only what a plain configuration uses', async () => {
  const folders = foldersOf(await loadedBy('folders', PLAIN, COMMANDS.serve));
  expect(folders).toEqual([
    '.',
    'admission',
    'certificates',
    'cli',
    'cluster',
    'config',
    'files',
    'graft',
    'injectors',
    'injectors/metadata',
    'injectors/overlay',
    'json',
    'kube',
    'manifests',
    'page',
    'pipeline',
    'sdk',
    'server',
    'yaml',
  ]);
});

it.each([
  ['a condition', CONDITION],
  ['an expression', EXPRESSION],
])('serve loads it for %s', async (title, config) => {
  const urls = await loadedBy(title, config, COMMANDS.serve);
  expect(urls.some((url) => url.endsWith('/cel/compile.js'))).toBe(true);
});
