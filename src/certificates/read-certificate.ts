import { X509Certificate } from 'node:crypto';
import { PodgraftError } from '../podgraft-error.ts';

/** The first certificate of a PEM text, which for a serving certificate with its chain is the server's own. */
export function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new PodgraftError('CERTIFICATE_INVALID', 'Cannot read certificate: not a PEM certificate', {
      cause,
    });
  }
}

export function endOf(certificate: X509Certificate): Date {
  return new Date(certificate.validTo);
}

/** Each certificate of a bundle by itself, in its order. */
export function splitCertificates(bundle: string): readonly string[] {
  const blocks = bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => `${block}\n`);
}
