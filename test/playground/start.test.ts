import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN } from '../podgraft-process.ts';

const START = fileURLToPath(new URL('../../tools/start.mjs', import.meta.url));
let folder: string;
let opened: string;
let child: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-start-'));
  opened = join(folder, 'opened');
  // A desktop's opener that only records its arguments.
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$1" > "${opened}"\n`);
    chmodSync(join(folder, name), 0o755);
  }
});
afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill();
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true });
});

/** The first line that a command prints. */
async function firstLine(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DISPLAY: ':0', PATH, ...env },
  });
  const [line] = await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line');
  return String(line);
}

const ADDRESS = /^The playground is at (http:\/\/localhost:\d+\/)$/;

test('npm start prints the address of the page, and opens nothing without a terminal', async () => {
  const [, url] = ADDRESS.exec(await firstLine([START, '--port', '0'], { CI: 'true' })) ?? [];
  expect((await fetch(`${url}api/state`)).status).toBe(200);
  expect(existsSync(opened)).toBe(false);
});

test('--open opens the address in the browser', async () => {
  const [, url] = ADDRESS.exec(await firstLine([MAIN, 'playground', '--port', '0', '--open'])) ?? [];
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8').trim()).toBe(url);
});

test('an explicit port that is in use is an error', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const failing = spawn(process.execPath, [MAIN, 'playground', '--port', String(port)], { stdio: 'ignore' });
  child = failing;
  expect(await once(failing, 'exit')).toEqual([1, null]);
  taken.close();
});

test('without --port it takes another one if 8080 is in use', async () => {
  const taken = createServer();
  // It may already be in use, which is fine.
  const settled = new Promise((resolve) => taken.once('listening', resolve).once('error', resolve));
  taken.listen(8080, '127.0.0.1');
  await settled;
  const [, url = ''] = ADDRESS.exec(await firstLine([MAIN, 'playground'])) ?? [];
  expect((await fetch(`${url}api/state`)).status).toBe(200);
  expect(new URL(url).port).not.toBe('8080');
  taken.close();
});
