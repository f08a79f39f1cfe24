import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { PodgraftError } from '../podgraft-error.ts';

/** A certificate and its private key, as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** Reads the first certificate of a PEM text; in a chain, that is the server's own. */
export function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw invalid('Cannot read certificate: not a PEM certificate', cause);
  }
}

/** `subject` is as node:crypto writes it: `CN=podgraft`. */
export function describeCertificate(pem: string) {
  const { subject, validFrom, validTo, subjectAltName = '' } = readCertificate(pem);
  const names = subjectAltName.split(', ');
  const withPrefix = (prefix: string) =>
    names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  return {
    subject: subject ?? '',
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    dnsNames: withPrefix('DNS:'),
    ipAddresses: withPrefix('IP Address:'),
  };
}

export function isValid(certificate: string, now: Date): boolean {
  const { notBefore, notAfter } = describeCertificate(certificate);
  return notBefore <= now && now < notAfter;
}

/** Whether two thirds of its life are over, or it is not valid yet because the issuer's clock was far ahead. */
export function isDue(certificate: string, now: Date): boolean {
  const { notBefore, notAfter } = describeCertificate(certificate);
  const renewal = notBefore.getTime() + (2 / 3) * (notAfter.getTime() - notBefore.getTime());
  return now.getTime() >= renewal || now < notBefore;
}

/** Whether `certificate` is signed by this CA's key; ignores their dates. */
export function isIssuedBy(certificate: string, ca: string): boolean {
  const authority = readCertificate(ca);
  const subject = readCertificate(certificate);
  return subject.checkIssued(authority) && subject.verify(authority.publicKey);
}

/** Splits a bundle into its certificates. */
export function splitCertificates(bundle: string): readonly string[] {
  const blocks = bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => `${block}\n`);
}

/** Throws if the key is invalid or belongs to another certificate, which TLS would only report at the first handshake. */
export function checkPair({ certificate, key }: CertificatePair): void {
  if (!readCertificate(certificate).checkPrivateKey(readKey(key))) {
    throw invalid('Cannot use certificate: the key belongs to another certificate');
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the cause, so that no part of a key is ever logged.
    throw invalid('Cannot read key: not a PEM private key');
  }
}

function invalid(message: string, cause?: unknown): PodgraftError {
  return new PodgraftError('CERTIFICATE_INVALID', message, { cause });
}
