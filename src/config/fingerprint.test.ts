import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fingerprint } from './fingerprint.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-fingerprint-'));
afterAll(() => rmSync(folder, { recursive: true }));
const entry = { name: 'a', use: 'metadata', onError: 'fail' as const, with: { labels: { a: 'b' } } };
const of = (change: object = {}, excluded = ['x', 'y']) =>
  fingerprint({ ...entry, ...change }, excluded, folder);

it('is the same for the same settings', async () => {
  expect(await of()).toBe(await of());
  expect(await of({}, ['y', 'x'])).toBe(await of());
});

it.each([
  ['settings', { with: { labels: { a: 'c' } } }],
  ['match', { match: { kinds: ['Service'] } }],
  ['injector', { use: 'overlay' }],
])('changes with the %s', async (_, change) => {
  expect(await of(change)).not.toBe(await of());
});

it('changes with the excluded namespaces', async () => {
  expect(await of({}, ['x'])).not.toBe(await of());
});

it('changes with the text of a module', async () => {
  writeFileSync(join(folder, 'mine.mjs'), 'export default 1;');
  const first = await of({ use: './mine.mjs' });
  writeFileSync(join(folder, 'mine.mjs'), 'export default 2;');
  expect(await of({ use: './mine.mjs' })).not.toBe(first);
});
