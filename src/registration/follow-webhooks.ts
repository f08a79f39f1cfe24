import { createHash } from 'node:crypto';
import { isRefusal } from '../cluster/client/api-error.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import { type Clock, systemClock } from '../cluster/clock.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { pointer } from '../json/pointer.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { annotationsOf, asJson, type KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import type { WebhookConfigurationName } from './settings.ts';
import { watchChanges } from './watch-changes.ts';

/** On a webhook configuration that the server fills: the hash of the configuration whose rules it should have. */
export const CONFIG_HASH = 'podgraft.dev/config-hash';
/** Settings that the configuration does not determine, such as failClosed, as JSON. */
export const WEBHOOK_SETTINGS = 'podgraft.dev/webhook-settings';
/** Of the webhooks as they were written: the API server adds defaults, and others the CA. */
const WRITTEN = 'podgraft.dev/webhooks-hash';

export interface FollowOptions {
  readonly client: Pick<KubeClient, 'get' | 'watch' | 'patch'>;
  readonly configurations: readonly WebhookConfigurationName[];
  /** The hash of this replica's configuration. In a rollout, replicas with another one leave the rules alone. */
  readonly configHash: string;
  /** The webhooks of a configuration, without their CA unless the settings contain it. */
  readonly render: (kind: WebhookConfigurationName['kind'], settings: JsonObject) => readonly JsonObject[];
  /** Nothing is written before this: the API server calls podgraft as soon as there are rules. */
  readonly isReady: () => boolean;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  readonly clock?: Clock;
}

const POLL_MS = 10_000;
const LEAST_REST_MS = 500;

/** Keeps the rules of podgraft's own webhook configurations in step with the configuration, until the signal fires. */
export async function followWebhooks(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { client, configurations, log, clock = systemClock } = options;
  let nap = new AbortController();
  signal.addEventListener('abort', () => nap.abort(), { once: true });
  for (const { kind, name } of configurations) {
    void watchChanges(client, { ref: builtin(kind), name }, clock, signal, () => nap.abort());
  }
  while (!signal.aborted) {
    for (const configuration of options.isReady() ? configurations : []) {
      await update(configuration, options).catch((error: unknown) => {
        // Someone else changed it. The watch starts the next round.
        if (isRefusal(error, 'Conflict')) return;
        log.warn(
          { ...configuration, error: String(error) },
          'cannot update webhook configuration, will retry',
        );
      });
    }
    await clock.sleep(LEAST_REST_MS, signal);
    if (options.isReady()) await clock.sleep(POLL_MS, nap.signal);
    if (!signal.aborted) nap = new AbortController();
  }
}

async function update(
  { kind, name }: WebhookConfigurationName,
  { client, configHash, render, log }: FollowOptions,
): Promise<void> {
  const target = { ref: builtin(kind), name };
  const object = await client.get(target);
  if (object === undefined) return;
  const { [CONFIG_HASH]: wanted, [WEBHOOK_SETTINGS]: text = '', [WRITTEN]: written } = annotationsOf(object);
  const settings = tryParseJson(text);
  if (wanted !== configHash || !isJsonObject(settings)) return;
  const webhooks = render(kind, settings);
  const hash = createHash('sha256').update(JSON.stringify(webhooks)).digest('hex').slice(0, 16);
  const existing = webhooksOf(object);
  if (written === hash && namesOf(existing) === namesOf(webhooks)) return;
  await client.patch(target, changes(object, withCa(webhooks, existing), hash));
  log.info({ kind, name, webhooks: webhooks.length }, 'webhook rules written');
}

/** Keeps the trusted CA, since calls would fail until it is restored. */
function withCa(webhooks: readonly JsonObject[], existing: readonly JsonObject[]): readonly JsonObject[] {
  const caBundle = existing
    .map(({ clientConfig }) => (isJsonObject(clientConfig) ? clientConfig.caBundle : undefined))
    .find((bundle) => typeof bundle === 'string');
  if (caBundle === undefined) return webhooks;
  return webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: { caBundle, ...(isJsonObject(webhook.clientConfig) ? webhook.clientConfig : {}) },
  }));
}

/** The annotations exist: only annotated configurations get here. */
function changes(object: KubeObject, webhooks: readonly JsonObject[], hash: string): readonly Operation[] {
  const version = object.metadata.resourceVersion ?? '';
  return [
    // Refused with `Conflict` if it has changed since it was read.
    { op: 'replace', path: '/metadata/resourceVersion', value: version },
    { op: 'add', path: '/webhooks', value: [...webhooks] },
    { op: 'add', path: pointer(['metadata', 'annotations', WRITTEN]), value: hash },
  ];
}

function webhooksOf(object: KubeObject): readonly JsonObject[] {
  const { webhooks } = asJson(object);
  return isJsonArray(webhooks) ? webhooks.filter(isJsonObject) : [];
}

function namesOf(webhooks: readonly { readonly [key: string]: Json }[]): string {
  return webhooks.map(({ name }) => String(name)).join();
}
