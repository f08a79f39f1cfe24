import { generateKeyPairSync } from 'node:crypto';
import { PodgraftError } from '../podgraft-error.ts';
import { alternativeNames } from './alternative-names.ts';
import { integer, namedBit, objectIdentifier, sequence, TRUE } from './der.ts';
import { type CertificatePair, readCertificate } from './read-certificate.ts';
import { encodeName, signCertificate, subjectOf } from './sign-certificate.ts';

export interface CaOptions {
  readonly commonName: string;
  /** May be a fraction. */
  readonly days: number;
  readonly now: Date;
}

/** The certificate never outlives its CA. */
export interface ServingOptions extends Omit<CaOptions, 'commonName'> {
  readonly ca: CertificatePair;
  readonly dnsNames: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/** A certificate authority (ECDSA P-256) that signs serving certificates, but no further authorities. */
export function makeCa({ commonName, days, now }: CaOptions): CertificatePair {
  const { publicKey, privateKey } = newKeys();
  const name = encodeName(commonName);
  const extensions = [
    // CA:TRUE, pathlen:0
    { id: BASIC_CONSTRAINTS, critical: true, value: sequence(TRUE, integer(Buffer.of(0))) },
    { id: KEY_USAGE, critical: true, value: namedBit(KEY_CERT_SIGN) },
  ];
  const content = { issuer: name, subject: name, ...validity(days, now), publicKey, extensions };
  return { certificate: signCertificate(content, privateKey), key: privateKey };
}

/** A key and a certificate (ECDSA P-256) for a TLS server with these names and addresses. */
export function issueServing({ ca, dnsNames, ipAddresses = [], days, now }: ServingOptions): CertificatePair {
  const authority = readCertificate(ca.certificate);
  const { notBefore, notAfter } = validity(days, now);
  const end = new Date(Math.min(notAfter.getTime(), Date.parse(authority.validTo)));
  if (end <= now) {
    throw new PodgraftError(
      'CERTIFICATE_INVALID',
      `Cannot issue a serving certificate: the CA "${authority.subject}" ends on ${authority.validTo}`,
    );
  }
  const { publicKey, privateKey } = newKeys();
  const commonName = [...dnsNames, ...ipAddresses].find((name) => name.length <= LONGEST_COMMON_NAME);
  const content = {
    issuer: subjectOf(authority),
    subject: encodeName(commonName),
    notBefore,
    notAfter: end,
    publicKey,
    extensions: [
      // CA:FALSE is the default and therefore omitted.
      { id: BASIC_CONSTRAINTS, critical: true, value: sequence() },
      { id: KEY_USAGE, critical: true, value: namedBit(DIGITAL_SIGNATURE) },
      { id: EXTENDED_KEY_USAGE, value: sequence(objectIdentifier(SERVER_AUTH)) },
      {
        id: SUBJECT_ALTERNATIVE_NAME,
        // Critical if the subject has no other name (RFC 5280 §4.1.2.6).
        critical: commonName === undefined,
        value: alternativeNames(dnsNames, ipAddresses),
      },
    ],
  };
  return { certificate: signCertificate(content, ca.key), key: privateKey };
}

const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const KEY_CERT_SIGN = 5;
const DIGITAL_SIGNATURE = 0;
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
/** ub-common-name, RFC 5280 appendix A.1. */
const LONGEST_COMMON_NAME = 64;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** As PEM. */
export function newKeys() {
  return generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

/** Starts a little in the past, for clients whose clock is behind. */
function validity(days: number, now: Date): { readonly notBefore: Date; readonly notAfter: Date } {
  // Certificates have no fractions of a second.
  const toSecond = (milliseconds: number) => new Date(Math.floor(milliseconds / 1000) * 1000);
  const time = now.getTime();
  return { notBefore: toSecond(time - clockTolerance(days)), notAfter: toSecond(time + days * DAY) };
}

/**
 * By how much clocks may differ, in milliseconds: an hour, but at most a tenth of the life, so that a share of the span between a
 * certificate's dates is about the same share of its life.
 */
export function clockTolerance(days: number): number {
  return Math.min(HOUR, (days * DAY) / 10);
}
