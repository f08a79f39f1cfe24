import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { goProgramPath } from '../../tools/go-program-path.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Needs no control plane, but a program built by Go, like all others in this suite.
it('actionlint finds no mistake in the workflows', () => {
  const actionlint = goProgramPath('actionlint');
  if (!existsSync(actionlint))
    throw new Error('Cannot check workflows without actionlint: run "npm run kubernetes:binaries"');
  const { status, stdout } = spawnSync(actionlint, ['.github/workflows/release.yaml'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

it('actionlint would find one', () => {
  const { status, stdout } = spawnSync(goProgramPath('actionlint'), ['-'], {
    cwd: root,
    encoding: 'utf8',
    input:
      'on: push\njobs: {a: {runs-on: ubuntu-24.04, steps: [{uses: actions/checkout@v4, with: {nonsense: 1}}]}}\n',
  });
  expect(status).toBe(1);
  expect(stdout).toContain('nonsense');
});
