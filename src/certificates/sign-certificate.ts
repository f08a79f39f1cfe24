import { createHash, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bitString,
  boolean,
  contextConstructed,
  contextPrimitive,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from './der.ts';

export interface Extension {
  readonly id: string;
  readonly critical: boolean;
  readonly value: Uint8Array;
}

export interface CertificateContent {
  /** Both as encoded: an issuer must repeat its CA's subject byte for byte. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The subject's SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly signerPublicKey: Uint8Array;
  readonly extensions: readonly Extension[];
}

/** An X.509 v3 certificate (RFC 5280 §4.1), signed by ECDSA with SHA-256, as PEM. */
export function signCertificate(content: CertificateContent, signerKey: KeyObject | string): string {
  const extensions = [...content.extensions, ...keyIdentifiers(content)];
  const toBeSigned = sequence(
    contextConstructed(0, integer(Buffer.of(2))),
    integer(randomSerial()),
    ecdsaWithSha256,
    content.issuer,
    sequence(time(content.notBefore), time(content.notAfter)),
    content.subject,
    content.publicKey,
    contextConstructed(3, sequence(...extensions.map(encodeExtension))),
  );
  const key = typeof signerKey === 'string' ? createPrivateKey(signerKey) : signerKey;
  const signature = sign('sha256', toBeSigned, key);
  const der = sequence(toBeSigned, ecdsaWithSha256, bitString(signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** A name of a common name alone; without one, the empty name. */
export function encodeName(commonName: string | undefined): Buffer {
  if (commonName === undefined) return sequence();
  return sequence(setOf(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))));
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** Positive, never zero, and well over the 64 random bits that CAs are held to. */
function randomSerial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/** Subject and authority key identifiers: while a CA is rotated, verifiers tell two CAs of one name apart by them. */
function keyIdentifiers({ publicKey, signerPublicKey }: CertificateContent): readonly Extension[] {
  return [
    { id: '2.5.29.14', critical: false, value: octetString(keyIdentifier(publicKey)) },
    {
      id: '2.5.29.35',
      critical: false,
      value: sequence(contextPrimitive(0, keyIdentifier(signerPublicKey))),
    },
  ];
}

/** Of the whole SubjectPublicKeyInfo, after RFC 7093 §2 (4): any digest of the key will do, as long as both ends agree. */
function keyIdentifier(publicKey: Uint8Array): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, 20);
}

function encodeExtension({ id, critical, value }: Extension): Buffer {
  // FALSE is the default, and DER does not write defaults.
  const flag = critical ? [boolean(true)] : [];
  return sequence(objectIdentifier(id), ...flag, octetString(value));
}
