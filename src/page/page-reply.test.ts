import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageFile } from './page-files.ts';
import { foreignRequest } from './page-reply.ts';

test.each([
  { host: 'localhost:8080' },
  { host: '127.0.0.1:8080' },
  { host: '[::1]:8080' },
  { host: 'page.localhost' },
  { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost:8080', 'sec-fetch-site': 'none' },
])('%j is from the page itself', (headers) => {
  expect(foreignRequest(headers)).toBeUndefined();
});

test.each([
  {},
  { host: 'example.com' },
  { host: 'localhost.example.com:8080' },
  { host: '127.0.0.1.example.com' },
  { host: 'localhost:8080', origin: 'http://localhost:9999' },
  { host: 'localhost:8080', origin: 'null' },
  { host: 'localhost:8080', 'sec-fetch-site': 'cross-site' },
])('%j is foreign', (headers) => {
  expect(foreignRequest(headers)).toEqual(expect.any(String));
});

test('files are those of the folder, with known types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-page-'));
  try {
    writeFileSync(join(folder, 'index.html'), '<p>the page</p>');
    writeFileSync(join(folder, 'page.js'), 'run()');
    writeFileSync(join(folder, 'secret.pem'), 'key');
    expect(pageFile('/page.js', folder)).toMatchObject({
      status: 200,
      contentType: 'text/javascript; charset=utf-8',
      body: Buffer.from('run()'),
    });
    expect(pageFile('/', folder)).toMatchObject({ status: 200, body: Buffer.from('<p>the page</p>') });
    const refused = [
      '/secret.pem',
      '/../page.js',
      '/%2e%2e/page.js',
      '/.hidden.js',
      '/missing.js',
      '//page.js',
    ];
    expect(refused.filter((path) => pageFile(path, folder).status !== 404)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
