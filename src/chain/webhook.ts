import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import { type Rule, rulesOf } from '../policy/match-rules.ts';

/** One webhook of a configuration, with the API's defaults. */
export interface Webhook {
  /** The entry itself: its compiled conditions are cached by it. */
  readonly source: JsonObject;
  readonly type: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  /** Its number among all webhooks of its type. */
  readonly index: number;
  readonly clientConfig: JsonObject;
  readonly rules: readonly Rule[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Equivalent' | 'Exact';
  readonly namespaceSelector: JsonObject;
  readonly objectSelector: JsonObject;
  readonly matchConditions: readonly { readonly name: string; readonly expression: string }[];
  readonly sideEffects: string;
  readonly timeoutSeconds: number;
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  /** The version of the AdmissionReview: the first of the listed ones that the API server knows. */
  readonly reviewVersion: 'v1' | 'v1beta1';
}

/** The webhooks of all configurations in the order of their calls: by the name of the configuration, then as listed. */
export function webhooksOf(configurations: readonly JsonObject[], type: Webhook['type']): readonly Webhook[] {
  const kind = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  return configurations
    .filter((configuration) => configuration.kind === kind)
    .toSorted((one, other) => compareBytes(String(metadataOf(one).name), String(metadataOf(other).name)))
    .flatMap((configuration) =>
      (isJsonArray(configuration.webhooks) ? configuration.webhooks : [])
        .filter(isJsonObject)
        .map((webhook) => ({ configuration: String(metadataOf(configuration).name), webhook })),
    )
    .map(({ configuration, webhook }, index) => withDefaults(webhook, type, configuration, index));
}

/** Names of configurations are ASCII, so that code units are bytes. */
function compareBytes(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function withDefaults(
  webhook: JsonObject,
  type: Webhook['type'],
  configuration: string,
  index: number,
): Webhook {
  const object = (value: unknown) => (isJsonObject(value) ? value : {});
  const versions = isJsonArray(webhook.admissionReviewVersions) ? webhook.admissionReviewVersions : ['v1'];
  return {
    source: webhook,
    type,
    configuration,
    name: String(webhook.name),
    index,
    clientConfig: object(webhook.clientConfig),
    rules: rulesOf(webhook.rules),
    failurePolicy: webhook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    matchPolicy: webhook.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector: object(webhook.namespaceSelector),
    objectSelector: object(webhook.objectSelector),
    matchConditions: (isJsonArray(webhook.matchConditions) ? webhook.matchConditions : [])
      .filter(isJsonObject)
      .map(({ name, expression }) => ({ name: String(name), expression: String(expression) })),
    sideEffects: String(webhook.sideEffects ?? 'Unknown'),
    timeoutSeconds: typeof webhook.timeoutSeconds === 'number' ? webhook.timeoutSeconds : 10,
    reinvocationPolicy: webhook.reinvocationPolicy === 'IfNeeded' ? 'IfNeeded' : 'Never',
    reviewVersion:
      versions.find((version) => version === 'v1' || version === 'v1beta1') === 'v1beta1' ? 'v1beta1' : 'v1',
  };
}

/** The URL that the API server posts to, without `?timeout=`: that of the configuration, or of its Service. */
export function webhookUrl({ clientConfig }: Webhook): string {
  const { url, service } = clientConfig;
  if (typeof url === 'string') {
    const { origin, pathname } = new URL(url);
    return origin + (pathname === '/' ? '/' : pathname.replace(/\/$/, ''));
  }
  const { namespace, name, path, port } = isJsonObject(service) ? service : {};
  const suffix = typeof path === 'string' ? path.replace(/^\/+/, '').replace(/\/$/, '') : '';
  return `https://${String(name)}.${String(namespace)}.svc:${typeof port === 'number' ? port : 443}/${suffix}`;
}
