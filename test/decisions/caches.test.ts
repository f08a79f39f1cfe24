import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}docs/decisions/caches.md`, 'utf8');
const [caches = '', others = ''] = page.split('\n## ');

/** Files that the first column of a table names, by path below `src/` or `src/injectors/`. */
function named(part: string): string[] {
  const rows = part.split('\n').filter((line) => line.startsWith('| `'));
  const names = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w/.-]+\.ts)`/g)]);
  return names.map(([, name = '']) =>
    existsSync(`${root}src/injectors/${name}`) ? `injectors/${name}` : name,
  );
}

const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'cache.ts',
);
const CALL = /\bcacheBy(Object|Texts)(<.*>)?\(/;

it('the page lists every file with a cache, and no other', () => {
  const cached = sources.filter((file) => CALL.test(readFileSync(`${root}src/${file}`, 'utf8')));
  expect([...new Set(named(caches))].sort()).toEqual(cached.sort());
});

it('the page names only files that exist', () => {
  expect(named(others)).not.toEqual([]);
  expect(named(others).filter((file) => !existsSync(`${root}src/${file}`))).toEqual([]);
});
