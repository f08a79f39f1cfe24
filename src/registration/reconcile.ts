import { isValid } from '../certificates/read-certificate.ts';
import { isRefusal } from '../cluster/client/api-error.ts';
import type { Clock } from '../cluster/clock.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { type Decision, decideStep } from './decide-step.ts';
import { bundleOf, type Keyring, type Mint, newKeyring, nextKeyring } from './keyring.ts';
import { keyringSecret, readKeyring } from './keyring-secret.ts';
import type { Observer } from './observer.ts';
import type { Lifetimes, RegistrationOptions, ServingNames, WebhookConfigurationName } from './settings.ts';
import { publishBundle, readConfiguration, type WebhookConfiguration } from './webhook-configuration.ts';

export interface Replica extends RegistrationOptions {
  readonly names: ServingNames;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly observe: Observer;
  /** The webhook configurations whose absence has been logged. */
  readonly absent: Set<WebhookConfigurationName>;
  serve(keyring: Keyring): void;
}

/** `again`: this or another replica changed something, so there may be more to do at once. */
export type Round = 'again' | 'settled';

/** One round: gather, decideStep, act. Each starts from the state in the API server. */
export async function reconcile(replica: Replica): Promise<Round> {
  const { client, namespace, secretName: name, observe, names, lifetimes, clock, log } = replica;
  // Configurations first, then the Secret: a bundle is written only if its configuration has not changed since, so a slow replica
  // cannot replace a newer bundle by an older one.
  const configurations = await readConfigurations(replica);
  const secret = await client.get({ ref: SECRET, namespace, name });
  const found = readKeyring(secret);
  const situation = { found, ...observe(found, configurations), names, lifetimes };
  const now = clock.now();
  // Before anything that can fail: a valid certificate can be served even if the rest fails.
  if (found.state === 'valid' && isValid(found.keyring.serving.certificate, now)) {
    replica.serve(found.keyring);
  }

  const decision = decideStep(situation, now);
  const { step, reason } = decision;
  if (step === 'refuse') {
    throw new PodgraftError(
      'TLS_SECRET_FOREIGN',
      `Cannot use Secret "${namespace}/${name}" for certificates: ${reason}; choose another name or delete it`,
    );
  }
  if (step === 'wait') log.info({ step, reason }, 'certificates');
  const keyring = keyringAfter(decision, { names, lifetimes, now });
  try {
    if (keyring !== undefined) {
      const written = keyringSecret(keyring, secret, { namespace, name });
      await (secret === undefined ? client.create(SECRET, written) : client.update(SECRET, written));
      log.info({ step, reason }, 'certificates');
      return 'again';
    }
    if (found.state !== 'valid') return 'settled';
    return (await publish(replica, configurations, bundleOf(found.keyring))) ? 'again' : 'settled';
  } catch (error) {
    // Another replica was faster.
    if (isRefusal(error, 'Conflict', 'AlreadyExists')) return 'again';
    throw error;
  }
}

const SECRET = builtin('Secret');

/** Without those that do not exist: they cause no calls. */
async function readConfigurations({
  client,
  webhookConfigurations,
  absent,
  log,
}: Replica): Promise<readonly WebhookConfiguration[]> {
  const found = await Promise.all(
    webhookConfigurations.map(async (wanted) => {
      const configuration = await readConfiguration(client, wanted);
      const { kind, name, isOptional = false } = wanted;
      if (configuration !== undefined) absent.delete(wanted);
      else if (!isOptional && !absent.has(wanted)) {
        absent.add(wanted);
        log.warn({ kind, name }, 'webhook configuration not found');
      }
      return configuration;
    }),
  );
  return found.filter((each) => each !== undefined);
}

function keyringAfter(decision: Decision, mint: Mint): Keyring | undefined {
  if (decision.step === 'create') return newKeyring(mint);
  return 'keyring' in decision ? nextKeyring(decision.step, decision.keyring, mint) : undefined;
}

async function publish(
  { client, log }: Replica,
  configurations: readonly WebhookConfiguration[],
  bundle: string,
): Promise<boolean> {
  let changed = false;
  for (const configuration of configurations) {
    if (!(await publishBundle(client, configuration, bundle))) continue;
    changed = true;
    const { ref, name } = configuration.target;
    log.info({ kind: ref.kind, name }, 'caBundle written');
  }
  return changed;
}
