import { createHash, createPublicKey, randomBytes, randomInt, sign, X509Certificate } from 'node:crypto';
import * as der from './der.ts';

export interface Extension {
  readonly id: string;
  readonly critical?: boolean;
  readonly value: Uint8Array;
}

export interface CertificateContent {
  /** Encoded, like `subject`: it must repeat the CA's subject byte for byte. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: string;
  readonly extensions: readonly Extension[];
}

/** Signs an X.509 v3 certificate (RFC 5280 §4.1) by ECDSA with SHA-256. Keys and result are PEM. */
export function signCertificate(content: CertificateContent, signerKey: string): string {
  const publicKey = spkiOf(content.publicKey);
  const extensions = [...content.extensions, ...keyIdentifiers(publicKey, spkiOf(signerKey))];
  const toBeSigned = der.sequence(
    der.contextConstructed(0, der.integer(Buffer.of(2))),
    der.integer(randomSerial()),
    ECDSA_WITH_SHA256,
    content.issuer,
    der.sequence(der.time(content.notBefore), der.time(content.notAfter)),
    content.subject,
    publicKey,
    der.contextConstructed(3, der.sequence(...extensions.map(encodeExtension))),
  );
  const signature = der.bitString(sign('sha256', toBeSigned, signerKey));
  return new X509Certificate(der.sequence(toBeSigned, ECDSA_WITH_SHA256, signature)).toString();
}

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

/** Of a public key, or of the one that belongs to a private key. */
function spkiOf(key: string): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

/** Positive, and well over the 64 random bits that CAs are held to. */
function randomSerial(): Buffer {
  return Buffer.concat([Buffer.of(0x40 + randomInt(0x40)), randomBytes(15)]);
}

/** Subject and authority key identifier: during a rotation, clients tell two CAs of the same name apart by them. */
function keyIdentifiers(subjectKey: Uint8Array, authorityKey: Uint8Array): readonly Extension[] {
  return [
    { id: '2.5.29.14', value: der.octetString(keyIdentifier(subjectKey)) },
    { id: '2.5.29.35', value: der.sequence(der.contextPrimitive(0, keyIdentifier(authorityKey))) },
  ];
}

/** RFC 7093 §2 (4): any digest of the key will do, as long as both certificates use the same. */
function keyIdentifier(spki: Uint8Array): Buffer {
  return createHash('sha256').update(spki).digest().subarray(0, 20);
}

function encodeExtension({ id, critical, value }: Extension): Buffer {
  // DER omits defaults, and here FALSE is one.
  return der.sequence(der.objectIdentifier(id), ...(critical ? [der.TRUE] : []), der.octetString(value));
}

/** A name with at most a common name. */
export function encodeName(commonName: string | undefined): Buffer {
  if (commonName === undefined) return der.sequence();
  return der.sequence(der.setOf(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName))));
}

/** The encoded subject of a certificate, which node:crypto shows only as text. */
export function subjectOf({ raw }: X509Certificate): Buffer {
  const certificate = raw.subarray(header(raw).start);
  let rest = certificate.subarray(header(certificate).start);
  // Before it: version (`[0]`, optional), serialNumber, signature, issuer, validity (RFC 5280 §4.1).
  for (let skip = rest[0] === 0xa0 ? 5 : 4; skip > 0; skip--) rest = rest.subarray(header(rest).end);
  return rest.subarray(0, header(rest).end);
}

/** Where the content of the first element starts and ends. OpenSSL has parsed the certificate, so the bytes are well formed. */
function header(element: Buffer): { start: number; end: number } {
  const first = element[1] ?? 0;
  if (first < 0x80) return { start: 2, end: 2 + first };
  const start = 2 + (first & 0x7f);
  return { start, end: start + element.readUIntBE(2, start - 2) };
}
