import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, textFiles } from './text-files.ts';

const trimmed = (path: string) => ({ path, parse: (text: string) => text.trim() });

test('a text is parsed once for each source', () => {
  let calls = 0;
  const source = { path: '/a', parse: (text: string) => `${text}${++calls}` };
  const view = textFiles({ '/a': 'x' });
  expect([view.get(source), view.get(source)]).toEqual(['x1', 'x1']);
});

test('an unknown path has no value, even if it is named like a member of JavaScript objects', () => {
  const view = textFiles({});
  expect([view.get(trimmed('/a')), view.get(trimmed('constructor'))]).toEqual([undefined, undefined]);
});

test('a missing file has no value; an invalid one is an error that names it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-files-'));
  const [there, missing] = [trimmed(join(folder, 'there')), trimmed(join(folder, 'missing'))];
  const bad = { path: there.path, parse: JSON.parse };
  writeFileSync(there.path, ' text\n');
  const view = readFiles([there, missing]);
  expect([view.get(there), view.get(missing)]).toEqual(['text', undefined]);
  expect(() => readFiles([bad])).toThrow(`Cannot read "${there.path}": Unexpected token`);
  expect(() => readFiles([trimmed(folder)])).toThrow(`Cannot read "${folder}": EISDIR`);
  rmSync(folder, { recursive: true });
});
