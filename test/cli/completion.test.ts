import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { podgraft } from '../podgraft-process.ts';

const script = async (shell: string) => (await podgraft(['completion', shell])).stdout;

/** The completions of the last word, as bash itself computes them. */
async function completed(...words: string[]): Promise<string[]> {
  const program = `${await script('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_podgraft
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n');
}

test('bash completes commands, options and their values', async () => {
  expect(await completed('podgraft', 'in')).toEqual(['inject', 'init']);
  expect(await completed('podgraft', 'explain', '--inj')).toEqual(['--injector']);
  expect(await completed('podgraft', 'inject', '-o', 'd')).toEqual(['diff']);
  expect(await completed('podgraft', 'completion', 'f')).toEqual(['fish']);
});

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).error === undefined;
}

test.skipIf(process.env.CI !== 'true' && !isInstalled('fish'))('fish completes likewise', async () => {
  const program = `${await script('fish')}\ncomplete -C 'podgraft inject -o '`;
  const values = execFileSync('fish', ['-c', program], { encoding: 'utf8' });
  expect(values.trim().split('\n')).toEqual(
    ['diff', 'json', 'patch', 'yaml'].map((value) => `${value}\toutput format`),
  );
});

test.skipIf(process.env.CI !== 'true' && !isInstalled('zsh'))('zsh accepts its script', async () => {
  const { status, stderr } = spawnSync('zsh', ['-n', '-c', await script('zsh')], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('an unknown shell is a usage error', async () => {
  const { code, stderr } = await podgraft(['completion', 'csh']);
  expect(code).toBe(2);
  expect(stderr).toContain("'csh' is invalid for argument 'shell'");
});
