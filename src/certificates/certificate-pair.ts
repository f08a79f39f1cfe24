/** A certificate and its private key, as PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}
