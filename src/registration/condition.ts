import { describeCertificate } from '../certificates/describe-certificate.ts';
import { readCertificate } from '../certificates/read-certificate.ts';
import type { ServingNames } from './settings.ts';

/** Between its two dates, by our own clock. */
export function isValid(certificate: string, now: Date): boolean {
  const { notBefore, notAfter } = describeCertificate(certificate);
  return notBefore <= now && now < notAfter;
}

/** Two thirds of its life are over, or the clock of whoever issued it was so far ahead that it is not valid yet. */
export function isDue(certificate: string, now: Date): boolean {
  const { notBefore, notAfter } = describeCertificate(certificate);
  const renewal = notBefore.getTime() + (2 / 3) * (notAfter.getTime() - notBefore.getTime());
  return now.getTime() >= renewal || now < notBefore;
}

/** More names than asked for do no harm: during an upgrade the replicas may differ in what they ask for. */
export function isKnownBy(certificate: string, { dnsNames, ipAddresses }: ServingNames): boolean {
  const subject = readCertificate(certificate);
  return (
    dnsNames.every((name) => subject.checkHost(name) !== undefined) &&
    ipAddresses.every((address) => subject.checkIP(address) !== undefined)
  );
}

export function endsBefore(certificate: string, other: string): boolean {
  return describeCertificate(certificate).notAfter < describeCertificate(other).notAfter;
}
