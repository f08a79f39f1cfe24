import type { KubeClient } from '../cluster/client/client.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { pointer } from '../json/pointer.ts';
import { asJson } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import type { ObjectRef } from '../sdk/reads.ts';
import type { WebhookConfigurationName } from './settings.ts';

/** The part of a webhook configuration that podgraft changes. */
export interface WebhookConfiguration {
  readonly target: ObjectRef;
  readonly resourceVersion: string;
  /** As PEM, one for each webhook. */
  readonly caBundles: readonly string[];
}

/** Undefined if it does not exist. */
export async function readConfiguration(
  client: Pick<KubeClient, 'get'>,
  { kind, name }: WebhookConfigurationName,
): Promise<WebhookConfiguration | undefined> {
  const target = { ref: builtin(kind), name };
  const object = await client.get(target);
  if (object === undefined) return undefined;
  const { webhooks } = asJson(object);
  return {
    target,
    resourceVersion: object.metadata.resourceVersion ?? '',
    caBundles: isJsonArray(webhooks) ? webhooks.map(caBundleOf) : [],
  };
}

function caBundleOf(webhook: Json): string {
  const clientConfig = isJsonObject(webhook) ? webhook.clientConfig : undefined;
  const caBundle = isJsonObject(clientConfig) ? clientConfig.caBundle : undefined;
  return typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64').toString() : '';
}

/** Sets every `caBundle` that differs, and nothing else. Refused with `Conflict` if the configuration has changed since it was read. */
export async function publishBundle(
  client: Pick<KubeClient, 'patch'>,
  { target, resourceVersion, caBundles }: WebhookConfiguration,
  bundle: string,
): Promise<boolean> {
  const value = Buffer.from(bundle).toString('base64');
  const changes = caBundles.flatMap((caBundle, index): Operation[] =>
    caBundle === bundle
      ? []
      : [{ op: 'add', path: pointer(['webhooks', index, 'clientConfig', 'caBundle']), value }],
  );
  if (changes.length === 0) return false;
  // Webhooks are addressed by index, which is valid for this version only.
  const asRead: Operation = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion };
  await client.patch(target, [asRead, ...changes]);
  return true;
}
