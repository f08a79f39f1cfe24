import { splitCertificates } from '../certificates/read-certificate.ts';
import type { KubeClient } from '../cluster/client/client.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { pointer } from '../json/pointer.ts';
import { asJson } from '../kube/kube-object.ts';
import { builtin, type ObjectRef } from '../kube/resource.ts';

export interface WebhookConfigurationName {
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly name: string;
}

/** As much of a webhook configuration as we touch. */
export interface WebhookConfiguration {
  readonly target: ObjectRef;
  readonly resourceVersion: string;
  /** Base64 as it stands, a webhook each. */
  readonly caBundles: readonly string[];
}

/** Undefined where there is none. */
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

/** The trusted CAs of every webhook, each as PEM. */
export function trustedBy({ caBundles }: WebhookConfiguration): readonly (readonly string[])[] {
  return caBundles.map((caBundle) => splitCertificates(Buffer.from(caBundle, 'base64').toString('utf8')));
}

/** Sets `caBundle` where it differs, and nothing else; refused with `Conflict` if the configuration is not as it was read. */
export async function publishBundle(
  client: Pick<KubeClient, 'patch'>,
  { target, resourceVersion, caBundles }: WebhookConfiguration,
  bundle: string,
): Promise<boolean> {
  const value = Buffer.from(bundle, 'utf8').toString('base64');
  const changes = caBundles.flatMap((caBundle, index): Operation[] =>
    caBundle === value
      ? []
      : [{ op: 'add', path: pointer(['webhooks', index, 'clientConfig', 'caBundle']), value }],
  );
  if (changes.length === 0) return false;
  // Webhooks are addressed by their index: that holds for this version alone.
  const asRead: Operation = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion };
  await client.patch(target, { json: [asRead, ...changes] });
  return true;
}

function caBundleOf(webhook: Json): string {
  const clientConfig = isJsonObject(webhook) ? webhook.clientConfig : undefined;
  const caBundle = isJsonObject(clientConfig) ? clientConfig.caBundle : undefined;
  return typeof caBundle === 'string' ? caBundle : '';
}
