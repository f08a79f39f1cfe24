import { endOf, readCertificate } from './read-certificate.ts';

export interface CertificateDescription {
  /** As node:crypto writes it: `CN=podgraft`. */
  readonly subject: string;
  readonly issuer: string;
  /** SHA-256, in hexadecimal with colons. */
  readonly fingerprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly isCa: boolean;
}

/** What people and decisions want to know of a certificate; of the first one, where the text holds several. */
export function describeCertificate(pem: string): CertificateDescription {
  const certificate = readCertificate(pem);
  const names = certificate.subjectAltName?.split(', ') ?? [];
  const withPrefix = (prefix: string) =>
    names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  return {
    subject: certificate.subject ?? '',
    issuer: certificate.issuer,
    fingerprint: certificate.fingerprint256,
    notBefore: new Date(certificate.validFrom),
    notAfter: endOf(certificate),
    dnsNames: withPrefix('DNS:'),
    ipAddresses: withPrefix('IP Address:'),
    isCa: certificate.ca,
  };
}
