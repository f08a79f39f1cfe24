import { clockTolerance } from '../certificates/issue-certificate.ts';
import { describeCertificate, isDue, isValid, readCertificate } from '../certificates/read-certificate.ts';
import type { Keyring, KeyringStep } from './keyring.ts';
import type { FoundSecret } from './keyring-secret.ts';
import type { Lifetimes, ServingNames } from './settings.ts';

/** Everything that a decision depends on, except the clock. */
export interface Situation {
  readonly found: FoundSecret;
  /** The last keyring that this replica has read. */
  readonly remembered: Keyring | undefined;
  /** For how long this replica has seen the next CA in every webhook configuration. */
  readonly nextPublishedMs: number | undefined;
  /** For how long this replica has seen no valid Secret. */
  readonly missingMs: number;
  /** A webhook configuration contains a valid CA of podgraft: another replica may be serving under it. */
  readonly othersMayServe: boolean;
  readonly names: ServingNames;
  readonly lifetimes: Lifetimes;
}

export type Decision =
  | { readonly step: 'rest' | 'wait' | 'refuse' | 'create'; readonly reason: string }
  | { readonly step: KeyringStep; readonly reason: string; readonly keyring: Keyring };

/** The next step. `docs/decisions/self-managed-tls.md` explains why the order of these steps leaves no gap. */
export function decideStep(situation: Situation, now: Date): Decision {
  const { found } = situation;
  switch (found.state) {
    case 'foreign':
      return { step: 'refuse', reason: found.why };
    case 'missing':
      return withoutKeyring(situation, 'there is no Secret', now);
    case 'broken':
      return withoutKeyring(situation, `the Secret is broken: ${found.why}`, now);
    case 'valid':
      return withKeyring(situation, found.keyring, now);
  }
}

function withoutKeyring(situation: Situation, reason: string, now: Date): Decision {
  const { remembered, othersMayServe, missingMs, lifetimes } = situation;
  if (remembered !== undefined && isValid(remembered.serving.certificate, now)) {
    return { step: 'restore', reason, keyring: remembered };
  }
  if (othersMayServe && missingMs < lifetimes.graceMs) {
    return { step: 'wait', reason: `${reason}, but another replica may restore it` };
  }
  return { step: 'create', reason };
}

function withKeyring(situation: Situation, keyring: Keyring, now: Date): Decision {
  for (const [step, check] of checks) {
    const reason = check(keyring, situation, now);
    if (reason !== undefined) return { step, reason, keyring };
  }
  return { step: 'rest', reason: 'nothing is due' };
}

type Check = (keyring: Keyring, situation: Situation, now: Date) => string | undefined;

/** Most urgent first. */
const checks: readonly (readonly [KeyringStep, Check])[] = [
  ['introduce', needsNewCa],
  ['promote', canPromote],
  ['renew', needsServing],
  ['retire', canRetire],
];

function needsNewCa({ signer, next }: Keyring, _: Situation, now: Date): string | undefined {
  if (next === undefined) return isDue(signer.certificate, now) ? 'the CA is due for renewal' : undefined;
  return isValid(next.certificate, now) ? undefined : 'the next CA is not valid at this time';
}

function canPromote({ signer, next }: Keyring, situation: Situation, now: Date): string | undefined {
  if (next === undefined) return undefined;
  const { nextPublishedMs = -1, lifetimes } = situation;
  if (nextPublishedMs >= lifetimes.propagationMs) return 'every API server knows the next CA';
  // Without a valid CA no certificate can be verified, so there is nothing to lose.
  return isValid(signer.certificate, now) ? undefined : 'the CA is not valid at this time';
}

function needsServing({ serving, signer }: Keyring, { names }: Situation, now: Date): string | undefined {
  const { certificate } = serving;
  if (!isValid(signer.certificate, now)) return undefined;
  // Extra names do no harm: during an upgrade, replicas may need different names.
  const subject = readCertificate(certificate);
  const hasNames =
    names.dnsNames.every((name) => subject.checkHost(name) !== undefined) &&
    names.ipAddresses.every((address) => subject.checkIP(address) !== undefined);
  if (!hasNames) return 'the serving certificate lacks a name';
  if (!isDue(certificate, now)) return undefined;
  // Near the end of a CA whose successor is delayed, a new certificate would not last longer.
  const endOf = (pem: string) => describeCertificate(pem).notAfter;
  const isWorthIt = endOf(certificate) < endOf(signer.certificate) || !isValid(certificate, now);
  return isWorthIt ? 'the serving certificate is due for renewal' : undefined;
}

function canRetire(keyring: Keyring, { lifetimes }: Situation, now: Date): string | undefined {
  if (keyring.retired.length === 0) return undefined;
  const end = (keyring.retireAfter?.getTime() ?? 0) + clockTolerance(lifetimes.servingDays);
  return now.getTime() > end ? 'every certificate of the old CA has ended' : undefined;
}
