import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

it('shows changes with three lines around them', () => {
  const before = numbers(9);
  const after = before.with(4, 'changed');
  expect(unifiedDiff('a.yaml', `${before.join('\n')}\n`, `${after.join('\n')}\n`)).toBe(
    [
      '--- a.yaml',
      '+++ a.yaml',
      '@@ -2,7 +2,7 @@',
      ...[' line 2', ' line 3', ' line 4', '-line 5', '+changed', ' line 6', ' line 7', ' line 8'],
      '',
    ].join('\n'),
  );
});

it('is empty for equal texts', () => {
  expect(unifiedDiff('a.yaml', 'a\n', 'a\n')).toBe('');
});

it('is a patch that git applies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-diff-'));
  try {
    const before = `${numbers(40).join('\n')}\n`;
    const after = `first\n${numbers(40).toSpliced(7, 2).toSpliced(20, 0, 'x', 'y').with(35, 'z').join('\n')}\n`;
    writeFileSync(join(folder, 'a.yaml'), before);
    writeFileSync(join(folder, 'a.diff'), unifiedDiff('a.yaml', before, after));
    execFileSync('git', ['apply', '-p0', 'a.diff'], { cwd: folder });
    expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(after);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
