import { issueServing, makeCa } from '../certificates/issue-certificate.ts';
import { type CertificatePair, describeCertificate, isDue } from '../certificates/read-certificate.ts';
import type { Lifetimes, ServingNames } from './settings.ts';

/** Everything that the replicas share. A CA enters as `next`, signs as `signer`, and stays as `retired` while its certificates are in use. */
export interface Keyring {
  readonly serving: CertificatePair;
  /** The CA that has signed `serving`. */
  readonly signer: CertificatePair;
  /** Trusted ahead of time: it signs nothing until every API server knows it. */
  readonly next?: CertificatePair;
  /** Certificates without keys, so that they can sign nothing more. */
  readonly retired: readonly string[];
  /** When the last serving certificate of the retired CAs ends. */
  readonly retireAfter?: Date;
}

/** A change to a keyring; `introduce`, `promote` and `retire` are the three steps of a CA's rotation. */
export type KeyringStep = 'restore' | 'introduce' | 'promote' | 'renew' | 'retire';

/** What new certificates are made from. */
export interface Mint {
  readonly names: ServingNames;
  readonly lifetimes: Lifetimes;
  readonly now: Date;
}

export const CA_NAME = 'podgraft CA';

export function newKeyring(mint: Mint): Keyring {
  const signer = newCa(mint);
  return { serving: newServing(signer, mint), signer, retired: [] };
}

/** The keyring after a step. */
export function nextKeyring(step: KeyringStep, keyring: Keyring, mint: Mint): Keyring {
  const { serving, signer, next, retired, retireAfter } = keyring;
  switch (step) {
    case 'restore':
      // The Secret may have been deleted because its content was compromised: a new CA takes over, but without a gap.
      return { ...keyring, next: next ?? newCa(mint) };
    case 'introduce':
      return { ...keyring, next: newCa(mint) };
    case 'promote': {
      if (next === undefined) return keyring;
      const end = describeCertificate(serving.certificate).notAfter;
      return {
        serving: newServing(next, mint),
        signer: next,
        retired: [signer.certificate, ...retired],
        retireAfter: retireAfter !== undefined && retireAfter > end ? retireAfter : end,
      };
    }
    case 'renew':
      return { ...keyring, serving: newServing(signer, { ...mint, names: namesFor(keyring, mint) }) };
    case 'retire':
      return { serving, signer, ...(next && { next }), retired: [] };
  }
}

/** The CAs that the API servers have to trust. */
export function bundleOf({ signer, next, retired }: Keyring): string {
  return [signer.certificate, ...(next === undefined ? [] : [next.certificate]), ...retired].join('');
}

function newCa({ lifetimes, now }: Mint): CertificatePair {
  return makeCa({ commonName: CA_NAME, days: lifetimes.caDays, now });
}

function newServing(ca: CertificatePair, { names, lifetimes, now }: Mint): CertificatePair {
  return issueServing({ ca, ...names, days: lifetimes.servingDays, now });
}

/** A certificate that is not due is replaced only for a missing name: it keeps the names of other replicas. */
function namesFor({ serving }: Keyring, { names, now }: Mint): ServingNames {
  if (isDue(serving.certificate, now)) return names;
  const found = describeCertificate(serving.certificate);
  return {
    dnsNames: [...new Set([...names.dnsNames, ...found.dnsNames])],
    ipAddresses: [...new Set([...names.ipAddresses, ...found.ipAddresses])],
  };
}
