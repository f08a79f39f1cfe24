import { isRefusal } from '../cluster/client/api-error.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Clock } from './clock.ts';
import { isValid } from './condition.ts';
import { type Decision, decide } from './decide.ts';
import { bundleOf, type Keyring } from './keyring.ts';
import { keyringSecret } from './keyring-secret.ts';
import type { Memory } from './memory.ts';
import { newKeyring, nextKeyring } from './next-keyring.ts';
import type { Lifetimes, ServingNames } from './settings.ts';
import {
  publishBundle,
  readConfiguration,
  type WebhookConfiguration,
  type WebhookConfigurationName,
} from './webhook-configuration.ts';

/** As much of a client as is needed here. */
export type RegistrationClient = Pick<KubeClient, 'get' | 'watch' | 'create' | 'update' | 'patch'>;

export interface Replica {
  readonly client: RegistrationClient;
  readonly namespace: string;
  readonly secretName: string;
  readonly webhookConfigurations: readonly WebhookConfigurationName[];
  readonly names: ServingNames;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly memory: Memory;
  readonly log: Pick<Log, 'info' | 'warn'>;
  serve(keyring: Keyring): void;
}

/** As much of a logger as we use. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** `again`: something was changed, by us or by somebody faster, so there is more to do at once. */
export type Round = 'again' | 'settled';

/** One round: gather, decide, act. Every round begins anew from what the API server says. */
export async function reconcile(replica: Replica): Promise<Round> {
  const { client, namespace, secretName, memory, names, lifetimes, clock, log } = replica;
  // Before the Secret, never after it: whoever writes a bundle has then read a Secret that is newer than the configuration
  // which the write is conditional on, and so no slow replica can put an older bundle over a newer one.
  const configurations = await readConfigurations(replica);
  const secret = await client.get({ ref: SECRET, namespace, name: secretName });
  const found = memory.read(secret);
  const situation = { found, ...memory.observe(found, configurations), names, lifetimes };
  const now = clock.now();
  // Before anything that can fail: what the Secret holds may be served, whatever else is wrong.
  if (found.state === 'whole' && isValid(found.keyring.serving.certificate, now)) {
    replica.serve(found.keyring);
  }

  const decision = decide(situation, now);
  const { step, reason } = decision;
  if (step === 'refuse') throw foreign(namespace, secretName, reason);
  if (step === 'wait') log.info({ step, reason }, 'certificates');
  const keyring = keyringAfter(decision, replica, now);
  try {
    if (keyring !== undefined) {
      await writeSecret(client, secret, keyringSecret(keyring, secret, { namespace, name: secretName }));
      log.info({ step, reason }, 'certificates');
      return 'again';
    }
    if (found.state !== 'whole') return 'settled';
    return (await publish(replica, configurations, bundleOf(found.keyring))) ? 'again' : 'settled';
  } catch (error) {
    if (isRefusal(error, 'Conflict', 'AlreadyExists')) return 'again';
    throw error;
  }
}

const SECRET = builtin('Secret');

/** Those that are there: one that is not calls nobody. */
async function readConfigurations({
  client,
  webhookConfigurations,
  memory,
  log,
}: Replica): Promise<readonly WebhookConfiguration[]> {
  const found = await Promise.all(
    webhookConfigurations.map(async (name) => {
      const configuration = await readConfiguration(client, name);
      const isNews = memory.noticed(`${name.kind}/${name.name}`, configuration !== undefined);
      if (isNews && configuration === undefined) log.warn(name, 'no such webhook configuration yet');
      return configuration;
    }),
  );
  return found.filter((each) => each !== undefined);
}

function keyringAfter(decision: Decision, { names, lifetimes }: Replica, now: Date): Keyring | undefined {
  const mint = { names, lifetimes, now };
  switch (decision.step) {
    case 'rest':
    case 'wait':
    case 'refuse':
      return undefined;
    case 'create':
      return newKeyring(mint);
    default:
      return nextKeyring(decision.step, decision.keyring, mint);
  }
}

/** With the resourceVersion that was read, so that only one of several replicas gets through. */
async function writeSecret(client: RegistrationClient, found: KubeObject | undefined, secret: KubeObject) {
  await (found === undefined ? client.create(SECRET, secret) : client.update(SECRET, secret));
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

function foreign(namespace: string, name: string, why: string): PodgraftError {
  return new PodgraftError(
    'TLS_SECRET_FOREIGN',
    `Cannot use Secret "${namespace}/${name}" for certificates: ${why}; name another one or remove it`,
  );
}
