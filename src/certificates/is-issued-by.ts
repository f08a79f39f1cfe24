import { readCertificate } from './read-certificate.ts';

/** Whether the certificate carries this very CA's signature; the dates are not looked at. */
export function isIssuedBy(certificate: string, ca: string): boolean {
  const authority = readCertificate(ca);
  const subject = readCertificate(certificate);
  return subject.checkIssued(authority) && subject.verify(authority.publicKey);
}
