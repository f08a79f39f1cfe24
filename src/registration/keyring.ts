import type { CertificatePair } from '../certificates/certificate-pair.ts';

/** All that the replicas share. A CA comes as `next`, signs as `signer`, and stays as `retired` while its work is in use. */
export interface Keyring {
  readonly serving: CertificatePair;
  /** Has signed `serving`. */
  readonly signer: CertificatePair;
  /** Trusted ahead of time: it signs nothing before every API server knows it. */
  readonly next?: CertificatePair;
  /** Certificates without keys, so that nothing can be signed by them any more. */
  readonly retired: readonly string[];
  /** When the last serving certificate of the retired CAs ends. */
  readonly retireAfter?: Date;
}

/** What the API server has to trust. */
export function bundleOf({ signer, next, retired }: Keyring): string {
  return [signer.certificate, ...(next === undefined ? [] : [next.certificate]), ...retired].join('');
}
