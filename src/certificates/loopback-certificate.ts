import { issueServing, makeCa } from './issue-certificate.ts';

/** All as PEM. */
export interface LoopbackCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate for a server on loopback that ends with its process, from a separate CA whose key is discarded. */
export function loopbackCertificate(commonName: string): LoopbackCertificate {
  const [now, days] = [new Date(), 30];
  const ca = makeCa({ commonName, days, now });
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const { certificate, key } = issueServing({ ca, ...names, days, now });
  return { ca: ca.certificate, cert: certificate, key };
}
