import { generateKeyPairSync, type X509Certificate } from 'node:crypto';
import { PodgraftError } from '../podgraft-error.ts';
import { alternativeNames } from './alternative-names.ts';
import type { CertificatePair } from './certificate-pair.ts';
import { namedBits, objectIdentifier, sequence } from './der.ts';
import { endOf, readCertificate } from './read-certificate.ts';
import { encodeName, signCertificate } from './sign-certificate.ts';
import { subjectOf } from './subject-of.ts';
import { validity } from './validity.ts';

export interface ServingOptions {
  readonly ca: CertificatePair;
  readonly dnsNames: readonly string[];
  readonly ipAddresses?: readonly string[];
  /** May be a fraction; never beyond the CA's own end. */
  readonly days: number;
  readonly now: Date;
}

/** A key and a certificate (ECDSA P-256) for a TLS server that is known by these names and addresses. */
export function issueServing({ ca, dnsNames, ipAddresses = [], days, now }: ServingOptions): CertificatePair {
  const authority = readCertificate(ca.certificate);
  const { notBefore, notAfter } = validity(days, now);
  const lastDay = new Date(Math.min(notAfter.getTime(), endOf(authority).getTime()));
  if (lastDay <= now) throw expired(authority);

  const names = alternativeNames(dnsNames, ipAddresses);
  const commonName = [...dnsNames, ...ipAddresses].find((name) => name.length <= LONGEST_COMMON_NAME);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = signCertificate(
    {
      issuer: subjectOf(authority),
      subject: encodeName(commonName),
      notBefore,
      notAfter: lastDay,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      signerPublicKey: authority.publicKey.export({ type: 'spki', format: 'der' }),
      extensions: [
        // CA:FALSE, which is the default and so left out
        { id: '2.5.29.19', critical: true, value: sequence() },
        { id: '2.5.29.15', critical: true, value: namedBits(DIGITAL_SIGNATURE) },
        { id: '2.5.29.37', critical: false, value: sequence(objectIdentifier(SERVER_AUTH)) },
        // Critical where it is all that names the subject (RFC 5280 §4.1.2.6).
        { id: '2.5.29.17', critical: commonName === undefined, value: names },
      ],
    },
    ca.key,
  );
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const DIGITAL_SIGNATURE = 0;
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
/** ub-common-name, RFC 5280 appendix A.1. */
const LONGEST_COMMON_NAME = 64;

function expired(authority: X509Certificate): PodgraftError {
  return new PodgraftError(
    'CERTIFICATE_INVALID',
    `Cannot issue a serving certificate: the CA "${authority.subject}" ends on ${authority.validTo}`,
  );
}
