import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { issueServing, makeCa } from './issue-certificate.ts';
import {
  checkPair,
  describeCertificate,
  isIssuedBy,
  readCertificate,
  splitCertificates,
} from './read-certificate.ts';
import { subjectOf } from './sign-certificate.ts';

/** The openssl command verifies certificates independently; its tests are skipped if it is not installed. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('No openssl command: its checks of certificates are skipped');

const now = new Date();
const ca = makeCa({ commonName: 'podgraft CA', days: 365, now });
const otherCa = makeCa({ commonName: 'podgraft CA', days: 365, now });
const dnsNames = ['podgraft.podgraft.svc', 'podgraft.podgraft.svc.cluster.local', '*.example.com'];
const ipAddresses = ['127.0.0.1', '::1', '2001:db8::ff:192.0.2.1'];
const serving = issueServing({ ca, dnsNames, ipAddresses, days: 7, now });

describe('a serving certificate', () => {
  test('is accepted in a handshake by a client that trusts the CA, under every name', async () => {
    for (const servername of [dnsNames[0] ?? '', 'a.example.com']) {
      expect(await handshake({ ca: ca.certificate, servername })).toBe('authorized');
    }
    expect(await handshake({ ca: ca.certificate, host: '127.0.0.1' })).toBe('authorized');
  });

  test('is accepted while old and new CA of the same name are in the bundle, in either order', async () => {
    const bundles = [otherCa.certificate + ca.certificate, ca.certificate + otherCa.certificate];
    for (const bundle of bundles) {
      expect(await handshake({ ca: bundle, host: '127.0.0.1' })).toBe('authorized');
    }
  });

  test('is rejected under another name, and by a client that trusts another CA', async () => {
    const elsewhere = { ca: ca.certificate, servername: 'elsewhere.svc' };
    expect(await handshake(elsewhere)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await handshake({ ca: otherCa.certificate, host: '127.0.0.1' })).toMatch(
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE/,
    );
  });

  test('has its names, its issuer and its dates', () => {
    const found = describeCertificate(serving.certificate);
    expect(found).toMatchObject({
      subject: 'CN=podgraft.podgraft.svc',
      dnsNames,
      ipAddresses: ['127.0.0.1', '0:0:0:0:0:0:0:1', '2001:DB8:0:0:0:FF:C000:201'],
    });
    expect(readCertificate(serving.certificate)).toMatchObject({ issuer: 'CN=podgraft CA', ca: false });
    expect(now.getTime() - found.notBefore.getTime()).toBeGreaterThanOrEqual(3_600_000);
    expect(found.notAfter.getTime() - now.getTime()).toBeGreaterThan(7 * 86_400_000 - 1000);
  });

  test('never outlives its CA, and an expired CA issues none', () => {
    const brief = makeCa({ commonName: 'brief', days: 1, now });
    const ends = describeCertificate(brief.certificate).notAfter;
    const leaf = issueServing({ ca: brief, dnsNames: ['a'], days: 7, now });
    expect(describeCertificate(leaf.certificate).notAfter).toEqual(ends);
    expect(() => issueServing({ ca: brief, dnsNames: ['a'], days: 7, now: ends })).toThrow(
      /^Cannot issue a serving certificate: the CA "CN=brief" ends on/,
    );
  });

  test('may have a name that is too long for a common name', () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.svc`;
    const leaf = issueServing({ ca, dnsNames: [long], days: 1, now });
    expect(describeCertificate(leaf.certificate)).toMatchObject({ subject: '', dnsNames: [long] });
    expect(readCertificate(leaf.certificate).checkHost(long)).toBe(long);
  });

  test.each([
    [{ dnsNames: [] }, 'it needs a DNS name or an IP address'],
    [{ dnsNames: ['a_b'] }, '"a_b" is not a DNS name'],
    [{ dnsNames: ['a..b'] }, '"a..b" is not a DNS name'],
    [{ dnsNames: ['a, DNS:b'] }, '"a, DNS:b" is not a DNS name'],
    [{ dnsNames: [], ipAddresses: ['localhost'] }, '"localhost" is not an IP address'],
    [{ dnsNames: [], ipAddresses: ['fe80::1%eth0'] }, '"fe80::1%eth0" is not an IP address'],
  ])('is not issued for %j', (names, why) => {
    expect(() => issueServing({ ca, days: 1, now, ...names })).toThrow(
      `Cannot issue a serving certificate: ${why}`,
    );
  });

  test.each(['::', '::1', '1::', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1', 'fe80::a:b', '10.1.2.3'])(
    'may have the address %s',
    (address) => {
      const leaf = issueServing({ ca, dnsNames: [], ipAddresses: [address], days: 1, now });
      expect(readCertificate(leaf.certificate).checkIP(address)).toBe(address);
    },
  );
});

describe('a CA', () => {
  test('signs with its exact name, which may contain any character', () => {
    const named = makeCa({ commonName: 'Zoë, OU=x/"y"', days: 1, now });
    const leaf = issueServing({ ca: named, dnsNames: ['a'], days: 1, now });
    expect(isIssuedBy(leaf.certificate, named.certificate)).toBe(true);
    expect(subjectOf(readCertificate(named.certificate)).includes('Zoë, OU=x/"y"')).toBe(true);
  });

  test('has its own serial number', () => {
    expect(readCertificate(ca.certificate).serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    expect(readCertificate(ca.certificate).serialNumber).not.toBe(
      readCertificate(otherCa.certificate).serialNumber,
    );
  });

  test('is recognised by its key, not by its name', () => {
    expect(isIssuedBy(serving.certificate, ca.certificate)).toBe(true);
    expect(isIssuedBy(serving.certificate, otherCa.certificate)).toBe(false);
  });

  test('can be extracted from a bundle', () => {
    const bundle = `# a comment\n${ca.certificate}\n${otherCa.certificate}`;
    expect(splitCertificates(bundle)).toEqual([ca.certificate, otherCa.certificate]);
    expect(splitCertificates('nothing')).toEqual([]);
  });
});

describe('a pair', () => {
  test('is checked: certificate and key belong together', () => {
    expect(() => checkPair(serving)).not.toThrow();
    expect(() => checkPair({ ...serving, key: ca.key })).toThrow('the key belongs to another certificate');
    expect(() => checkPair({ ...serving, key: 'x' })).toThrow('Cannot read key: not a PEM private key');
    expect(() => checkPair({ ...serving, certificate: 'x' })).toThrow('not a PEM certificate');
  });
});

describe.skipIf(!hasOpenssl)('openssl', () => {
  const files = { 'ca.crt': ca.certificate, 'both.crt': otherCa.certificate + ca.certificate };
  const verify = (caFile: string, leaf: string) =>
    openssl(['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', caFile, 'leaf.crt'], {
      ...files,
      'leaf.crt': leaf,
    });

  test('verifies serving certificates strictly, also against two CAs of one name', () => {
    expect(verify('ca.crt', serving.certificate)).toBe('leaf.crt: OK\n');
    expect(verify('both.crt', serving.certificate)).toBe('leaf.crt: OK\n');
    const unnamed = issueServing({ ca, dnsNames: [`${'a.'.repeat(40)}svc`], days: 1, now });
    expect(verify('ca.crt', unnamed.certificate)).toBe('leaf.crt: OK\n');
  });

  test('verifies certificates that end after 2050', () => {
    const later = makeCa({ commonName: 'later', days: 40 * 365, now });
    const leaf = issueServing({ ca: later, dnsNames: ['a'], days: 30 * 365, now });
    const args = ['verify', '-x509_strict', '-CAfile', 'later.crt', 'leaf.crt'];
    expect(openssl(args, { 'later.crt': later.certificate, 'leaf.crt': leaf.certificate })).toBe(
      'leaf.crt: OK\n',
    );
  });

  test('reads the extensions as intended', () => {
    const text = (pem: string) =>
      openssl(['x509', '-in', 'x.crt', '-noout', '-text'], { 'x.crt': pem }).replace(/\s+/g, ' ');
    expect(text(ca.certificate)).toContain('Basic Constraints: critical CA:TRUE, pathlen:0');
    expect(text(ca.certificate)).toContain('Key Usage: critical Certificate Sign X509v3');
    expect(text(ca.certificate)).toContain('Version: 3 (0x2)');
    expect(text(serving.certificate)).toContain('Basic Constraints: critical CA:FALSE');
    expect(text(serving.certificate)).toContain('Key Usage: critical Digital Signature X509v3');
    expect(text(serving.certificate)).toContain('Extended Key Usage: TLS Web Server Authentication');
    expect(text(serving.certificate)).toContain('ASN1 OID: prime256v1');
  });
});

/** The result of a handshake with a server that presents the certificate above. */
async function handshake(options: { ca: string; servername?: string; host?: string }): Promise<string> {
  const server = createServer({ cert: serving.certificate, key: serving.key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', ...options });
  try {
    return await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve('authorized'));
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  } finally {
    socket.destroy();
    server.close();
  }
}

/** Runs openssl in a folder with these files; returns its output. */
function openssl(args: readonly string[], files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'podgraft-openssl-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
