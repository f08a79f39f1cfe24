import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtinNames } from '../../src/injectors/catalog.ts';
import { podgraft } from '../podgraft-process.ts';

const cwd = mkdtempSync(join(tmpdir(), 'podgraft-init-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: nginx}]}\n';

test.each(builtinNames)('the configuration for %s is valid', async (name) => {
  const file = `${name}.yaml`;
  const { code, stdout } = await podgraft(['init', '--injector', name, '--file', file], { cwd });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Wrote ${file}. Try it with: podgraft explain -f pod.yaml\n`,
  });
  const explained = await podgraft(['explain', '-f', '-', '--config', file], { cwd, input: POD });
  // Errors in the configuration begin with its file. Istio's injector fails here, because its ConfigMap is missing.
  expect(explained.stderr).not.toContain(`error: ${file}:`);
  expect(explained.stdout + explained.stderr).toMatch(
    new RegExp(`^ {2}${name} |Injector "${name}" failed`, 'm'),
  );
});

test('an existing file is kept without --force', async () => {
  writeFileSync(join(cwd, 'podgraft.yaml'), 'mine');
  const { code, stderr } = await podgraft(['init', '--injector', 'metadata'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: "podgraft.yaml" exists; use --force to overwrite it\n',
  });
});

test('an unknown injector is a usage error with a suggestion', async () => {
  const { code, stderr } = await podgraft(['init', '--injector', 'isto', '--file', '-'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: Unknown injector "isto", did you mean "istio"?\n',
  });
});

test('without a terminal and without names it explains how to name them', async () => {
  const { code, stderr } = await podgraft(['init', '--file', '-'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'error: no terminal to ask on; name the injectors with --injector\n',
  });
});
