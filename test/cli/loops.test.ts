import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { sampleEvent } from '../../src/loops/sample-events.fixture.ts';
import { MAIN, podgraft } from '../podgraft-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-loops-'));
afterAll(() => rmSync(folder, { recursive: true }));

function lines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => {
    const version = from + index;
    const isAdder = version % 2 === 0;
    const labels = isAdder ? { app: 'web', team: 'a' } : { app: 'web' };
    return `${JSON.stringify(sampleEvent({ version, user: isAdder ? 'adder' : 'remover', labels }))}\n`;
  }).join('');
}

const log = join(folder, 'audit.log');
writeFileSync(log, lines(1, 21));

test('shows who sets what, how often, a timeline and a suggestion', async () => {
  const { stdout, code } = await podgraft(['loops', log]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^1 loop in 20 lines \(0\.\d MB\), 20 writes\n/);
  expect(stdout).toContain('pods "default/web"  /metadata/labels/team\n');
  expect(stdout).toContain('changed back 18 times');
  expect(stdout).toMatch(/"a" +adder \(adder\/v1\.0\) +\d+ times/);
  expect(stdout).toMatch(/\(absent\) +remover \(remover\/v1\.0\) +\d+ times/);
  expect(stdout).toMatch(/[▁▂▃▄▅▆▇█]/);
  expect(stdout).toMatch(/→ .*disagree about \/metadata\/labels\/team/);
});

test('reads gzip, also a truncated one, standard input, and several files', async () => {
  const archive = gzipSync(lines(1, 41));
  writeFileSync(join(folder, 'whole.gz'), archive);
  writeFileSync(join(folder, 'truncated.gz'), archive.subarray(0, archive.length - 40));
  const count = async (...args: string[]) =>
    JSON.parse((await podgraft(['loops', '-o', 'json', ...args])).stdout);
  expect(await count(join(folder, 'whole.gz'))).toMatchObject({ writes: 40, foreign: 0 });
  const { writes, loops } = await count(join(folder, 'truncated.gz'));
  expect(writes).toBeGreaterThan(10);
  expect(loops).toHaveLength(1);
  expect(await count(log, join(folder, 'whole.gz'))).toMatchObject({ writes: 60 });
  const piped = await podgraft(['loops', '-', '-o', 'json'], { input: lines(1, 21) });
  expect(JSON.parse(piped.stdout)).toMatchObject({ writes: 20 });
});

test('reports what is missing: events, bodies, files', async () => {
  const none = await podgraft(['loops', '-'], { input: 'one\ntwo\n' });
  expect(none).toMatchObject({ code: 0 });
  expect(none.stdout).toContain('No loops in 2 lines');
  expect(none.stdout).toContain('2 lines left out: not audit events, or incomplete');
  expect(none.stdout).toContain('There are no writes in this log');
  expect(await podgraft(['loops', join(folder, 'nothing.log')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no such file'),
  });
  for (const flags of [[], ['--follow']]) {
    expect(await podgraft(['loops', folder, ...flags])).toMatchObject({
      code: 1,
      stderr: `error: ${folder}: is a folder\n`,
    });
  }
  expect(await podgraft(['loops'])).toMatchObject({ code: 2 });
});

test('does not show the values of Secrets and environment variables', async () => {
  const secret = lines(1, 21)
    .replaceAll('"resource":"pods"', '"resource":"secrets"')
    .replaceAll('"labels"', '"data"');
  const { stdout } = await podgraft(['loops', '-'], { input: secret });
  expect(stdout).toContain('secrets "default/web"');
  expect(stdout).toContain('(hidden)');
  expect(stdout).not.toContain('"a"');
});

test('prints an audit policy', async () => {
  const { stdout } = await podgraft(['loops', '--policy']);
  expect(parse(stdout)).toMatchObject({ kind: 'Policy', omitStages: ['RequestReceived'] });
});

test('--follow prints a loop when it is found, also after the log was rotated', async () => {
  const growing = join(folder, 'growing.log');
  writeFileSync(growing, lines(1, 3));
  const child = spawn(process.execPath, [MAIN, 'loops', growing, '--follow'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  appendFileSync(growing, lines(3, 5));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  renameSync(growing, `${growing}.1`);
  writeFileSync(growing, lines(5, 15));
  await vi.waitFor(() => expect(output).toContain('/metadata/labels/team'), 25_000);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code] = await ended;
  expect(code).toBe(0);
  expect(output).toMatch(/1 loop in 14 lines/);
}, 40_000);
