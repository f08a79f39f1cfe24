import { clockTolerance } from '../certificates/validity.ts';
import { endsBefore, isDue, isKnownBy, isValid } from './condition.ts';
import type { Keyring } from './keyring.ts';
import type { FoundSecret } from './keyring-secret.ts';
import type { Lifetimes, ServingNames } from './settings.ts';

/** Everything a decision depends on, but the clock. */
export interface Situation {
  readonly found: FoundSecret;
  /** What this replica knows from before. */
  readonly remembered: Keyring | undefined;
  /** For how long this replica has seen the next CA in every webhook configuration. */
  readonly nextPublishedMs: number | undefined;
  /** For how long this replica has seen no whole Secret. */
  readonly missingMs: number;
  /** A CA of ours that is still good stands in a webhook configuration: somebody may be serving under it. */
  readonly othersMayServe: boolean;
  readonly names: ServingNames;
  readonly lifetimes: Lifetimes;
}

export type Decision =
  | { readonly step: 'rest' | 'wait' | 'refuse' | 'create'; readonly reason: string }
  | { readonly step: KeyringStep; readonly reason: string; readonly keyring: Keyring };

/** What can be done to a keyring; `introduce`, `promote`, `retire` are the three acts of a CA's rotation. */
export type KeyringStep = 'restore' | 'introduce' | 'promote' | 'renew' | 'retire';

/** The one next thing to do. Why the order of these steps leaves no gap: `docs/decisions/self-managed-tls.md`. */
export function decide(situation: Situation, now: Date): Decision {
  const { found } = situation;
  switch (found.state) {
    case 'foreign':
      return { step: 'refuse', reason: found.why };
    case 'missing':
      return withoutKeyring(situation, 'there is no Secret', now);
    case 'broken':
      return withoutKeyring(situation, `the Secret is broken: ${found.why}`, now);
    case 'whole':
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

/** In the order of their urgency. */
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
  // Nothing that can be verified is left to lose. As long as the CA is valid, a new serving certificate of it is the remedy.
  return isValid(signer.certificate, now) ? undefined : 'the CA is not valid at this time';
}

function needsServing({ serving, signer }: Keyring, situation: Situation, now: Date): string | undefined {
  const { certificate } = serving;
  if (!isValid(signer.certificate, now)) return undefined;
  if (!isKnownBy(certificate, situation.names)) return 'the serving certificate lacks a name';
  // Near the end of a CA whose successor is held up, another one would end no later.
  const worthIt = endsBefore(certificate, signer.certificate) || !isValid(certificate, now);
  return isDue(certificate, now) && worthIt ? 'the serving certificate is due for renewal' : undefined;
}

function canRetire(
  { retired, retireAfter }: Keyring,
  { lifetimes }: Situation,
  now: Date,
): string | undefined {
  if (retired.length === 0) return undefined;
  const end = (retireAfter?.getTime() ?? 0) + clockTolerance(lifetimes.servingDays);
  return now.getTime() > end ? 'all that the old CA signed has ended' : undefined;
}
