import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAIN } from '../podgraft-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = join(root, 'examples/argo-cd');
const cwd = mkdtempSync(join(tmpdir(), 'podgraft-gitops-'));
beforeAll(() => {
  writeFileSync(join(cwd, 'podgraft'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(join(cwd, 'podgraft'), 0o755);
  for (const file of ['podgraft.yaml', 'deployment.yaml']) copyFileSync(join(example, file), join(cwd, file));
});
afterAll(() => rmSync(cwd, { recursive: true }));
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${cwd}:${process.env.PATH}`, ARGOCD_APP_NAMESPACE: 'shop' },
  });

test("Argo CD's plugin prints the injected manifests", () => {
  const { command, args } = parse(readFileSync(join(example, 'plugin.yaml'), 'utf8')).spec.generate;
  const output = run(command[0], ...command.slice(1), ...args);
  expect(parse(output).spec.template.metadata.annotations).toEqual({ 'injected-by': 'podgraft' });
});

test('the pre-commit hooks run on the files that pre-commit passes', () => {
  const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as {
    id: string;
    entry: string;
  }[];
  const entry = hooks.find(({ id }) => id === 'podgraft-explain')?.entry ?? '';
  copyFileSync(join(cwd, 'deployment.yaml'), join(cwd, 'two files.yaml'));
  // pre-commit splits the entry as a shell would, and appends the names of files.
  const output = run('sh', '-c', `${entry} "$@"`, 'sh', 'deployment.yaml', 'two files.yaml');
  expect(output.match(/^Deployment "web" .*$/gm)).toEqual([
    'Deployment "web"  deployment.yaml:1',
    'Deployment "web"  two files.yaml:1',
  ]);
  expect(hooks.map(({ id }) => id)).toContain('podgraft-test');
});
