import type { DeepReadonly } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { FieldComment, Manifest } from './manifest.ts';
import { labelsFor, type ManifestSettings, type Tls } from './settings.ts';
import { type WebhookScope, webhookScopes } from './webhook-scopes.ts';

const API_VERSION = 'admissionregistration.k8s.io/v1';
/** Every namespace has it, set by the API server itself. */
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

export function webhookConfigurations(settings: ManifestSettings): readonly Manifest[] {
  const { validate } = settings.webhook;
  return [mutating(settings), ...(validate ? [validating(settings)] : [])];
}

function mutating(settings: ManifestSettings): Manifest {
  const webhooks = webhookScopes(settings.pipeline).map((scope) => ({
    ...webhook(settings, scope, '/mutate'),
    reinvocationPolicy: 'IfNeeded',
  }));
  return {
    purpose:
      'What the API server asks podgraft about. Made from the configuration: print it anew when that changes.',
    object: {
      apiVersion: API_VERSION,
      kind: 'MutatingWebhookConfiguration',
      metadata: metadata(settings),
      webhooks,
    },
    comments: webhooks.length === 0 ? [] : [...commentsFor(settings), reinvocation],
  };
}

function validating(settings: ManifestSettings): Manifest {
  const webhooks = webhookScopes(settings.pipeline).map((scope) => webhook(settings, scope, '/validate'));
  return {
    purpose:
      'The check of the final state: whether something of what was injected has been removed by those who came after.',
    object: {
      apiVersion: API_VERSION,
      kind: 'ValidatingWebhookConfiguration',
      metadata: metadata(settings),
      webhooks,
    },
  };
}

function metadata(settings: ManifestSettings) {
  const { name, namespace, tls } = settings;
  return {
    name,
    labels: labelsFor(settings),
    ...(tls.mode === 'cert-manager' && {
      annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${name}` },
    }),
  };
}

function webhook(settings: ManifestSettings, scope: WebhookScope, path: string) {
  const { failurePolicy, timeoutSeconds } = settings.webhook;
  const { name, rules, objectSelector, matchConditions } = scope;
  return {
    name: `${name}.podgraft.dev`,
    clientConfig: clientConfig(settings, path),
    rules,
    namespaceSelector: namespaceSelector(settings, scope),
    ...(objectSelector && { objectSelector }),
    ...(matchConditions.length > 0 && { matchConditions }),
    failurePolicy,
    timeoutSeconds,
    sideEffects: 'None',
    matchPolicy: 'Equivalent',
    admissionReviewVersions: ['v1'],
  };
}

function clientConfig({ name, namespace, tls }: ManifestSettings, path: string) {
  const caBundle = caBundleOf(tls);
  return {
    ...(tls.mode === 'url'
      ? { url: `${tls.url.replace(/\/+$/, '')}${path}` }
      : { service: { name, namespace, path, port: 443 } }),
    ...(caBundle !== undefined && { caBundle }),
  };
}

function caBundleOf(tls: Tls): string | undefined {
  return tls.mode === 'secret' || tls.mode === 'url' ? tls.caBundle : undefined;
}

function namespaceSelector(
  { pipeline, namespace, tls, webhook: { onlyNamespaces } }: ManifestSettings,
  { namespaceSelector: own }: WebhookScope,
): DeepReadonly<LabelSelector> {
  const excluded = new Set(pipeline.excludedNamespaces);
  if (tls.mode !== 'url') excluded.add(namespace);
  return {
    ...(own?.matchLabels && { matchLabels: own.matchLabels }),
    matchExpressions: [
      ...(own?.matchExpressions ?? []),
      ...(excluded.size > 0 ? [{ key: NAMESPACE_NAME, operator: 'NotIn', values: [...excluded] }] : []),
      ...(onlyNamespaces ? [{ key: NAMESPACE_NAME, operator: 'In', values: [...onlyNamespaces] }] : []),
    ],
  };
}

/** Of the first webhook only: the others are alike. */
function commentsFor({ webhook, tls, namespace }: ManifestSettings): readonly FieldComment[] {
  const at = (field: string) => ['webhooks', 0, field];
  const failure =
    webhook.failurePolicy === 'Ignore'
      ? 'Ignore to begin with: while podgraft cannot be reached, objects are stored as they are. --fail-closed when it has proven itself.'
      : 'Fail: what podgraft has not seen is not stored. Nothing of the kinds below can be created while it cannot be reached.';
  const own = tls.mode === 'url' ? '' : ` and "${namespace}", so that podgraft can always be started`;
  return [
    [at('clientConfig'), caWords(tls)],
    [at('rules'), 'Only what the injectors match. Pods on CREATE only: their spec is immutable afterwards.'],
    [at('namespaceSelector'), `Not the namespaces that the configuration excludes${own}.`],
    [at('matchConditions'), 'Evaluated by the API server itself: what is left out here costs no call.'],
    [at('failurePolicy'), failure],
    [at('timeoutSeconds'), 'A review takes milliseconds. Who creates a Pod waits at most this long for it.'],
    [at('sideEffects'), 'Reviews change nothing anywhere, so --dry-run=server shows what would be stored.'],
    [at('matchPolicy'), 'Objects sent in another version of the API are converted and count as well.'],
  ];
}

const reinvocation: FieldComment = [
  ['webhooks', 0, 'reinvocationPolicy'],
  'Asked again when a later webhook has changed the object, so that containers added by others are treated too.',
];

function caWords(tls: Tls): string {
  switch (tls.mode) {
    case 'self-managed':
      return 'caBundle is written here by podgraft itself, and kept up to date.';
    case 'cert-manager':
      return 'caBundle is written here by cert-manager, see the annotation above.';
    case 'secret':
      return 'caBundle: the CA of the certificate in the Secret. Changing it is up to you.';
    case 'url':
      return tls.caBundle === undefined
        ? "No caBundle: the server's certificate must be one that the API server's machine trusts."
        : 'The server runs outside the cluster: the API server must be able to reach this address.';
  }
}
