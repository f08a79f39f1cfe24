import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { alternativeNames } from '../certificates/alternative-names.ts';
import { issueServing, makeCa } from '../certificates/issue-certificate.ts';
import { readCertificate } from '../certificates/read-certificate.ts';
import { encodeName, signCertificate, subjectOf } from '../certificates/sign-certificate.ts';

const DAY = 24 * 60 * 60 * 1000;
const NAME = 'webhook.example.svc';

/** The time of all examples. */
export const NOW = new Date('2026-06-01T00:00:00Z');

/** Replaces the placeholders of examples by matching certificates. */
export function withCertificates(yaml: string): string {
  return yaml.replace(/<([a-z0-9-]+)>/g, (_, name: string) => {
    const pem = samples()[name];
    if (pem === undefined) throw new Error(`Unknown certificate "${name}"`);
    return Buffer.from(pem).toString('base64');
  });
}

let cache: { readonly [name: string]: string } | undefined;

function samples(): { readonly [name: string]: string } {
  cache ??= makeSamples();
  return cache;
}

function makeSamples(): { readonly [name: string]: string } {
  const ca = makeCa({ commonName: 'example', days: 365, now: NOW });
  const other = makeCa({ commonName: 'another', days: 365, now: NOW });
  const aYearAgo = new Date(NOW.getTime() - 360 * DAY);
  const serving = { ca, dnsNames: [NAME], days: 365, now: NOW };
  return {
    ca: ca.certificate,
    'expired-ca': makeCa({ commonName: 'example', days: 90, now: aYearAgo }).certificate,
    'ca-with-5-days-left': makeCa({ commonName: 'example', days: 365, now: aYearAgo }).certificate,
    certificate: issueServing(serving).certificate,
    'certificate-of-another-ca': issueServing({ ...serving, ca: other }).certificate,
    'certificate-for-another-name': issueServing({ ...serving, dnsNames: ['webhook'] }).certificate,
    'certificate-with-1024-bits': withShortKey(ca),
    'certificate-with-sha1': new X509Certificate(Buffer.from(SHA1, 'base64')).toString(),
  };
}

function withShortKey(ca: { readonly certificate: string; readonly key: string }): string {
  const { publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const content = {
    issuer: subjectOf(readCertificate(ca.certificate)),
    subject: encodeName(NAME),
    notBefore: NOW,
    notAfter: new Date(NOW.getTime() + 300 * DAY),
    publicKey,
    extensions: [{ id: '2.5.29.17', value: alternativeNames([NAME], []) }],
  };
  return signCertificate(content, ca.key);
}

/** Made by OpenSSL, valid for a hundred years: podgraft's own code cannot sign with SHA-1. */
const SHA1 =
  'MIIBlDCCATqgAwIBAgIUUQdFaHhl11oi48n8ShCaisBJoSYwCQYHKoZIzj0EATARMQ8wDQYDVQQDDAZvbGQgQ0EwIBcNMjYxMTE3MjIwNTA4WhgPMjEyNjEwMjQyMjA1MDhaMB4xHDAaBgNVBAMME3dlYmhvb2suZXhhbXBsZS5zdmMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARphlhnvcDkU1CWtJwQrFFpRj6JUuimnWQD04XMzWyIfq2JcYG2yJfbVKoUuKcxqoCRcPZUJMrTJJDrqEHgtIZHo2IwYDAeBgNVHREEFzAVghN3ZWJob29rLmV4YW1wbGUuc3ZjMB0GA1UdDgQWBBQumIOqj6FsE468Y62mA/Is2b3EuDAfBgNVHSMEGDAWgBRSu2iluHiTSmpaJftBXr2E46b3vzAJBgcqhkjOPQQBA0kAMEYCIQDGIRfeO9vtCRVv1F+dMWMOzT/qDYGmOnyPpOCjmOaffgIhANSnu4ERQfbWn3/7RKbS2h0SLNfMBWqcBDPtJByE54NI';
