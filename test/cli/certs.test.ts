import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkPair } from '../../src/certificates/read-certificate.ts';
import { podgraft } from '../podgraft-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-certs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const certs = (...flags: string[]) => podgraft(['certs', ...flags], { cwd: folder });
const read = (name: string) => readFileSync(join(folder, 'certs', name), 'utf8');

it('creates a CA and a certificate for the given names, and prints the caBundle', async () => {
  const { code, stdout, stderr } = await certs('--ip', '192.0.2.7', '--dns', 'a.example.com', '--days', '3');
  expect(code).toBe(0);
  expect(stdout).toBe(`caBundle: ${Buffer.from(read('ca.crt')).toString('base64')}\n`);
  expect(stderr).toContain('a.example.com');
  expect(readdirSync(join(folder, 'certs')).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  expect(statSync(join(folder, 'certs/tls.key')).mode & 0o777).toBe(0o600);

  const certificate = new X509Certificate(read('tls.crt'));
  for (const host of ['localhost', 'a.example.com']) expect(certificate.checkHost(host)).toBe(host);
  for (const ip of ['127.0.0.1', '192.0.2.7']) expect(certificate.checkIP(ip)).toBe(ip);
  expect(certificate.verify(new X509Certificate(read('ca.crt')).publicKey)).toBe(true);
  checkPair({ certificate: read('tls.crt'), key: read('tls.key') });
});

it('overwrites files only with --force', async () => {
  const before = read('tls.key');
  expect(await certs()).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') });
  expect(read('tls.key')).toBe(before);
  writeFileSync(join(folder, 'certs/tls.key'), 'old', { mode: 0o644 });
  expect(await certs('--force')).toMatchObject({ code: 0 });
  expect(read('tls.key')).toContain('PRIVATE KEY');
  expect(statSync(join(folder, 'certs/tls.key')).mode & 0o777).toBe(0o600);
});

it('rejects an invalid address', async () => {
  expect(await certs('--dir', 'more', '--ip', 'localhost')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"localhost" is not an IP address'),
  });
  expect(readdirSync(folder)).toEqual(['certs']);
});
