import { PodgraftError } from '../podgraft-error.ts';

export interface Lifetimes {
  /** May be fractions. */
  readonly caDays: number;
  readonly servingDays: number;
  /** Within this time a change to a webhook configuration reaches every API server. */
  readonly propagationMs: number;
  /** How often each replica looks at the Secret and the webhook configurations. */
  readonly pollMs: number;
  /** How long a newcomer leaves a lost Secret to replicas that still know what was in it. */
  readonly graceMs: number;
}

/** Usually the API server knows in a quarter of a second; nothing is in a hurry when four months are left. */
const defaults: Lifetimes = {
  caDays: 365,
  servingDays: 7,
  propagationMs: 5 * 60_000,
  pollMs: 10_000,
  graceMs: 60_000,
};

export function lifetimesWith(given: Partial<Lifetimes> = {}): Lifetimes {
  const lifetimes = { ...defaults, ...given };
  const { caDays, servingDays, propagationMs, pollMs, graceMs } = lifetimes;
  const third = (Math.min(caDays, servingDays) * 24 * 60 * 60 * 1000) / 3;
  // What is left of a certificate when it is due must be enough to replace it everywhere.
  if (third <= propagationMs || third <= pollMs || graceMs <= pollMs) {
    throw new PodgraftError(
      'CONFIG_INVALID',
      'Cannot manage certificates: a third of each lifetime must be longer than propagation and poll, and grace longer than poll',
    );
  }
  return lifetimes;
}

export interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}
