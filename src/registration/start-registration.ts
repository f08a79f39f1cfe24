import type { CertificatePair } from '../certificates/certificate-pair.ts';
import { describeCertificate } from '../certificates/describe-certificate.ts';
import { builtin, type ObjectRef } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Keyring } from './keyring.ts';
import { Memory } from './memory.ts';
import { Pace } from './pace.ts';
import { type Log, type RegistrationClient, type Replica, reconcile } from './reconcile.ts';
import { type Lifetimes, lifetimesWith, type ServingNames } from './settings.ts';
import { watchChanges } from './watch-changes.ts';
import type { WebhookConfigurationName } from './webhook-configuration.ts';

export interface RegistrationOptions {
  readonly client: RegistrationClient;
  readonly namespace: string;
  readonly secretName: string;
  /** The API server calls us as `<serviceName>.<namespace>.svc`. */
  readonly serviceName: string;
  /** Ours: their `caBundle` fields are kept up to date. One that does not exist is written as soon as it does. */
  readonly webhookConfigurations: readonly WebhookConfigurationName[];
  /** Beside the Service's, for a server that is reached by a URL. */
  readonly extraNames?: Partial<ServingNames>;
  readonly lifetimes?: Partial<Lifetimes>;
  readonly clock?: Clock;
  readonly log: Log;
  /** With the first pair, and whenever this replica should serve another one. */
  onCertificate(pair: CertificatePair): void;
  /** Gives up waiting for the first pair. */
  readonly signal?: AbortSignal;
}

export interface Registration {
  /** Of what is served; for metrics. */
  expiry(): Expiry;
  stop(): Promise<void>;
}

export interface Expiry {
  readonly serving: Date;
  readonly ca: Date;
}

/** Keeps this replica's certificate, the shared Secret and the webhook configurations in step. Ready with the first pair. */
export async function startRegistration(options: RegistrationOptions): Promise<Registration> {
  const { clock = systemClock, log, onCertificate } = options;
  const lifetimes = lifetimesWith(options.lifetimes);
  const ending = new AbortController();
  const pace = new Pace(lifetimes.pollMs, clock, ending.signal);
  const served: { keyring?: Keyring } = {};
  const replica: Replica = {
    ...options,
    lifetimes,
    names: namesOf(options),
    clock,
    memory: new Memory(clock),
    serve(keyring) {
      const isNew = keyring.serving.certificate !== served.keyring?.serving.certificate;
      served.keyring = keyring;
      if (isNew) onCertificate(keyring.serving);
    },
  };

  async function turn(): Promise<void> {
    await pace.rest();
    if (ending.signal.aborted) return;
    try {
      pace.after(await reconcile(replica));
    } catch (error) {
      const hopeless = error instanceof PodgraftError && error.code === 'TLS_SECRET_FOREIGN';
      if (hopeless && served.keyring === undefined) throw error;
      log.error({ error: String(error) }, 'certificates could not be looked after, trying again');
      pace.afterError(error);
    }
  }

  watchChanges(options.client, watchedBy(options), clock, ending.signal, () => pace.wake());
  const giveUp = () => ending.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    while (served.keyring === undefined) {
      options.signal?.throwIfAborted();
      await turn();
    }
  } catch (error) {
    ending.abort();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
  const running = (async () => {
    while (!ending.signal.aborted) await turn();
  })();
  const first = served.keyring;
  return {
    expiry: () => expiryOf(served.keyring ?? first),
    async stop() {
      ending.abort();
      await running;
    },
  };
}

function watchedBy({
  namespace,
  secretName,
  webhookConfigurations,
}: RegistrationOptions): readonly ObjectRef[] {
  return [
    { ref: builtin('Secret'), namespace, name: secretName },
    ...webhookConfigurations.map(({ kind, name }) => ({ ref: builtin(kind), name })),
  ];
}

function namesOf({ serviceName, namespace, extraNames }: RegistrationOptions): ServingNames {
  return {
    dnsNames: [`${serviceName}.${namespace}.svc`, ...(extraNames?.dnsNames ?? [])],
    ipAddresses: extraNames?.ipAddresses ?? [],
  };
}

function expiryOf({ serving, signer }: Keyring): Expiry {
  return {
    serving: describeCertificate(serving.certificate).notAfter,
    ca: describeCertificate(signer.certificate).notAfter,
  };
}
