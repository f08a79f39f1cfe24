import type { CertificatePair } from '../certificates/certificate-pair.ts';
import { describeCertificate } from '../certificates/describe-certificate.ts';
import { issueServing } from '../certificates/issue-serving.ts';
import { makeCa } from '../certificates/make-ca.ts';
import { isDue } from './condition.ts';
import type { KeyringStep } from './decide.ts';
import type { Keyring } from './keyring.ts';
import type { Lifetimes, ServingNames } from './settings.ts';

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

/** The keyring after a step; only this file knows what each of them does. */
export function nextKeyring(step: KeyringStep, keyring: Keyring, mint: Mint): Keyring {
  switch (step) {
    case 'restore':
      // Whoever deletes the Secret may mistrust what was in it: a new CA takes over, but without a gap.
      return { ...keyring, next: keyring.next ?? newCa(mint) };
    case 'introduce':
      return { ...keyring, next: newCa(mint) };
    case 'promote':
      return promote(keyring, mint);
    case 'renew':
      return { ...keyring, serving: newServing(keyring.signer, { ...mint, names: namesFor(keyring, mint) }) };
    case 'retire':
      return withoutRetired(keyring);
  }
}

function newCa({ lifetimes, now }: Mint): CertificatePair {
  return makeCa({ commonName: CA_NAME, days: lifetimes.caDays, now });
}

function newServing(ca: CertificatePair, { names, lifetimes, now }: Mint): CertificatePair {
  return issueServing({ ca, ...names, days: lifetimes.servingDays, now });
}

function promote(keyring: Keyring, mint: Mint): Keyring {
  const { serving, signer, next, retired, retireAfter } = keyring;
  if (next === undefined) return keyring;
  const end = describeCertificate(serving.certificate).notAfter;
  return {
    serving: newServing(next, mint),
    signer: next,
    retired: [signer.certificate, ...retired],
    retireAfter: retireAfter !== undefined && retireAfter > end ? retireAfter : end,
  };
}

/** Before its time a certificate is only replaced for want of a name: then it keeps those that other replicas wanted. */
function namesFor({ serving }: Keyring, { names, now }: Mint): ServingNames {
  if (isDue(serving.certificate, now)) return names;
  const found = describeCertificate(serving.certificate);
  return {
    dnsNames: [...new Set([...names.dnsNames, ...found.dnsNames])],
    ipAddresses: [...new Set([...names.ipAddresses, ...found.ipAddresses])],
  };
}

function withoutRetired({ serving, signer, next }: Keyring): Keyring {
  return { serving, signer, ...(next && { next }), retired: [] };
}
