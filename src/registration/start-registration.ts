import { type CertificatePair, describeCertificate } from '../certificates/read-certificate.ts';
import { type Clock, systemClock } from '../cluster/clock.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Keyring } from './keyring.ts';
import { createObserver } from './observer.ts';
import { createPace } from './pace.ts';
import { type Replica, reconcile } from './reconcile.ts';
import { lifetimesWith, type RegistrationOptions } from './settings.ts';
import { watchChanges } from './watch-changes.ts';

export interface Registration {
  /** The pair to serve. */
  certificate(): CertificatePair;
  /** When that certificate and its CA end. */
  expiry(): { readonly serving: Date; readonly ca: Date };
  stop(): Promise<void>;
}

/** Keeps this replica's certificate, the shared Secret and the webhook configurations in step. Resolves with the first pair. */
export async function startRegistration(options: RegistrationOptions): Promise<Registration> {
  const { client, namespace, secretName, serviceName, extraNames, webhookConfigurations } = options;
  const { clock = jitteredClock, log } = options;
  const lifetimes = lifetimesWith(options.lifetimes);
  const ending = new AbortController();
  const pace = createPace(lifetimes.pollMs, clock, ending.signal);
  const served: { keyring?: Keyring } = {};
  const replica: Replica = {
    ...options,
    lifetimes,
    names: {
      dnsNames: [`${serviceName}.${namespace}.svc`, ...(extraNames?.dnsNames ?? [])],
      ipAddresses: extraNames?.ipAddresses ?? [],
    },
    clock,
    observe: createObserver(clock),
    absent: new Set(),
    serve(keyring) {
      const isNew = keyring.serving.certificate !== served.keyring?.serving.certificate;
      served.keyring = keyring;
      if (isNew) options.onCertificate(keyring.serving);
    },
  };

  async function turn(): Promise<void> {
    await pace.rest();
    if (ending.signal.aborted) return;
    try {
      pace.after(await reconcile(replica));
    } catch (error) {
      const isForeign = error instanceof PodgraftError && error.code === 'TLS_SECRET_FOREIGN';
      if (isForeign && served.keyring === undefined) {
        ending.abort();
        throw error;
      }
      log.error({ error: String(error) }, 'cannot update certificates, will retry');
      pace.afterError(error);
    }
  }

  const targets = [
    { ref: builtin('Secret'), namespace, name: secretName },
    ...webhookConfigurations.map(({ kind, name }) => ({ ref: builtin(kind), name })),
  ];
  for (const target of targets) void watchChanges(client, target, clock, ending.signal, pace.wake);
  while (served.keyring === undefined) await turn();
  const first = served.keyring;
  const running = (async () => {
    while (!ending.signal.aborted) await turn();
  })();
  const current = () => served.keyring ?? first;
  return {
    certificate: () => current().serving,
    expiry: () => ({ serving: endOf(current().serving), ca: endOf(current().signer) }),
    async stop() {
      ending.abort();
      await running;
    },
  };
}

/** Spreads out replicas that started together. */
const jitteredClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms * (0.9 + 0.2 * Math.random()), signal),
};

function endOf({ certificate }: CertificatePair): Date {
  return describeCertificate(certificate).notAfter;
}
