import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';
import { STAMP } from '../stamp.ts';

const LONG = 'x'.repeat(200);
const CONFIG = `${STAMP}  - name: env
    use: overlay
    with: {overlay: {spec: {containers: [{name: "we*", env: [{name: LONG, value: ${LONG}}]}]}}}
`;
const PODS = `apiVersion: v1
kind: Pod
metadata: {name: done, annotations: {injected-by: my-webhook}}
spec: {containers: [{name: app, image: a, env: [{name: LONG, value: mine}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: new}
spec: {containers: [{name: log, image: l}, {name: web, image: w, env: [{name: A, value: b}]}]}
`;

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-explain-'));
beforeAll(() => {
  writeFileSync(join(cwd, 'podgraft.yaml'), CONFIG);
  writeFileSync(join(cwd, 'pods.yaml'), PODS);
});
afterAll(() => rmSync(cwd, { recursive: true }));
const explain = (...args: string[]) => podgraft(['explain', '-f', 'pods.yaml', ...args], { cwd });

test('names containers in paths, and prints values as a whole in a pipe', async () => {
  const { stdout } = await explain();
  expect(stdout).toContain(
    `    + /spec/containers[web]/env[LONG]  ${JSON.stringify({ name: 'LONG', value: LONG })}\n`,
  );
});

test('--changed shows only objects and injectors that change something', async () => {
  const { stdout } = await explain('--changed');
  expect(stdout).not.toContain('"done"');
  expect(stdout.match(/^ {2}\w+ .*$/gm)).toEqual([
    '  stamp     grafted    1 change',
    '  env       grafted    1 change',
  ]);
});

test('--injector shows one injector, in JSON too', async () => {
  const { stdout } = await explain('--injector', 'env', '-o', 'json');
  const shown = JSON.parse(stdout) as { allowed: boolean; patch: unknown[]; parts: { trace: unknown[] }[] }[];
  expect(shown.map(({ patch, parts }) => [patch.length, parts[0]?.trace.length])).toEqual([
    [0, 1],
    [2, 1],
  ]);
});

test('an unknown injector is a usage error with a suggestion', async () => {
  const { code, stderr } = await explain('--injector', 'stam');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: Unknown injector "stam", did you mean "stamp"?\n',
  });
});

test('inject -o diff prints a unified diff of what changes', async () => {
  const { code, stdout } = await podgraft(['inject', '-f', 'pods.yaml', '-o', 'diff'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^--- pods.yaml\n\+\+\+ pods.yaml\n@@ -\d+,\d+ \+\d+,\d+ @@\n/);
  expect(stdout.match(/^[-+](?![-+]).*$/gm)?.[0]).toMatch(/^-/);
  expect(stdout).toContain('injected-by: my-webhook');
});
