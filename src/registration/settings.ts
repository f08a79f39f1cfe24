import type { CertificatePair } from '../certificates/read-certificate.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import type { Clock } from '../cluster/clock.ts';
import { PodgraftError } from '../podgraft-error.ts';

export interface RegistrationOptions {
  readonly client: Pick<KubeClient, 'get' | 'watch' | 'create' | 'update' | 'patch'>;
  readonly namespace: string;
  readonly secretName: string;
  /** The API server calls podgraft as `<serviceName>.<namespace>.svc`. */
  readonly serviceName: string;
  /** Their `caBundle` fields are kept up to date. One that does not exist yet is written once it does. */
  readonly webhookConfigurations: readonly WebhookConfigurationName[];
  /** In addition to the Service's, for a server that is called by a URL. */
  readonly extraNames?: Partial<ServingNames>;
  readonly lifetimes?: Partial<Lifetimes>;
  readonly clock?: Clock;
  readonly log: Log;
  /** Called with the first pair, and whenever this replica should serve another one. */
  onCertificate(pair: CertificatePair): void;
}

/** The part of a logger that is needed here. */
interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface WebhookConfigurationName {
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly name: string;
  /** It may be missing for good. Default: its absence is logged. */
  readonly isOptional?: boolean;
}

export interface ServingNames {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

export interface Lifetimes {
  /** May be a fraction, as may `servingDays`. */
  readonly caDays: number;
  readonly servingDays: number;
  /** How long a change to a webhook configuration may take to reach every API server. */
  readonly propagationMs: number;
  /** How often each replica reads the Secret and the webhook configurations. */
  readonly pollMs: number;
  /** How long a new replica leaves a lost Secret to replicas that may still know its content. */
  readonly graceMs: number;
}

/** Propagation usually takes a quarter of a second, but with four months left there is no hurry. */
const DEFAULTS: Lifetimes = {
  caDays: 365,
  servingDays: 7,
  propagationMs: 5 * 60_000,
  pollMs: 10_000,
  graceMs: 60_000,
};

export function lifetimesWith(given: Partial<Lifetimes> = {}): Lifetimes {
  const lifetimes = { ...DEFAULTS, ...given };
  const { caDays, servingDays, propagationMs, pollMs, graceMs } = lifetimes;
  const third = (Math.min(caDays, servingDays) * 24 * 60 * 60 * 1000) / 3;
  // When a certificate is due, a third of its life is left to replace it everywhere.
  if (third <= propagationMs || third <= pollMs || graceMs <= pollMs) {
    throw new PodgraftError(
      'CONFIG_INVALID',
      'Cannot manage certificates: a third of each lifetime must be longer than propagation and poll, and grace longer than poll',
    );
  }
  return lifetimes;
}
