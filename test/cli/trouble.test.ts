import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const pod = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: a, image: nginx}]}\n`;

/** Fails on Pods named "bad". */
const MOODY = `import { defineInjector, overlay } from 'podgraft';
export default defineInjector({
  name: 'moody', summary: '', match: { kinds: ['Pod'] },
  inject(pod) {
    if (pod.metadata.name === 'bad') throw new Error('not this one');
    return overlay({ metadata: { labels: { seen: 'once' } } });
  },
});
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-trouble-'));
  writeFileSync(join(folder, 'podgraft.yaml'), STAMP);
  writeFileSync(join(folder, 'moody.ts'), MOODY);
  const head = STAMP.slice(0, STAMP.indexOf('  - name'));
  writeFileSync(join(folder, 'moody.yaml'), `${head}  - {name: moody, use: ./moody.ts}\n`);
  writeFileSync(join(folder, 'pod.yaml'), pod('good'));
  mkdirSync(join(folder, 'links'));
  symlinkSync('nowhere', join(folder, 'links', 'a.yaml'));
  writeFileSync(join(folder, 'links', 'b.yaml'), pod('good'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => podgraft(args, { cwd: folder });

describe('an error of the operating system is reported in one line', () => {
  test('an unreadable file: the others are injected', async () => {
    const { code, stdout, stderr } = await run('inject', '-f', 'links');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: links/a.yaml: no such file or folder\n',
    });
    expect(stdout).toContain('name: good');
  });

  test('an unreadable file of --cluster', async () => {
    expect(await run('inject', '-f', 'pod.yaml', '--cluster', 'links')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Cannot read "links/a.yaml": no such file or folder\n',
    });
  });

  test('a file instead of a folder for certificates', async () => {
    const { code, stderr } = await run('certs', '--dir', 'pod.yaml');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: EEXIST: .*\n$/);
  });

  test.each(['--port', '--metrics-port'])('a %s that is in use', async (flag) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const other = flag === '--port' ? '--metrics-port' : '--port';
    const { code, stderr } = await run('serve', '--http', flag, String(port), other, '0');
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: listen EADDRINUSE: .*\n$/);
  });
});

test('an object on which an injector fails is reported and omitted', async () => {
  writeFileSync(join(folder, 'two.yaml'), `${pod('bad')}---\n${pod('good')}`);
  const { code, stdout, stderr } = await run('inject', '--config', 'moody.yaml', '-f', 'two.yaml');
  expect(stderr).toBe('error: two.yaml:1: Pod "bad": Injector "moody" failed: not this one\n');
  expect(code).toBe(1);
  expect(stdout).toContain('labels: {seen: once}');
  expect(stdout).not.toContain('name: bad');
});

test('exits quietly when the reader of its output closes the pipe', () => {
  writeFileSync(join(folder, 'many.yaml'), Array.from({ length: 2000 }, () => pod('p')).join('---\n'));
  const command = `"${process.execPath}" "${MAIN}" inject -f many.yaml | head -1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'apiVersion: v1\n', stderr: '' });
});
