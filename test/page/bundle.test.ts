import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const folder = join(process.env.PODGRAFT_DIST ?? 'dist', 'page');
const isLoaded = (name: string) => /^(index\.html|icon\.svg|page\.(js|css)|.*-[A-Z0-9]{8}\.js)$/.test(name);

it('is at most 250 kB gzipped, including lazily loaded parts', () => {
  const names = readdirSync(folder).filter(isLoaded);
  expect(names.length).toBeGreaterThanOrEqual(5);
  const sizes = names.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(250_000);
});

it('has neither scripts nor styles in its HTML, so that a strict Content-Security-Policy holds', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/);
});
