import type { JsonObject } from '../json/json.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { type Release, renderChart } from './render-chart.ts';

export interface ManifestSettings extends Release {
  /** Default: podgraft in the chart's version. */
  readonly image?: string;
  readonly replicas: number;
  readonly failClosed?: boolean;
  readonly timeoutSeconds: number;
  /** Whether to check the final object too. */
  readonly validate?: boolean;
  /** Default: all that are not excluded. */
  readonly onlyNamespaces?: readonly string[];
  readonly tls: Tls;
  /** Time between audits, such as 15m. Default: none. */
  readonly auditInterval?: string;
  /** Whether to restart workloads whose Pods lack injections. */
  readonly restartMissed?: boolean;
}

/** Source of the serving certificate and of the CA that the API server trusts. `caBundle` is base64 of PEM. */
export type Tls =
  | { readonly mode: 'self-managed' | 'cert-manager'; readonly secret: string }
  | { readonly mode: 'secret'; readonly secret: string; readonly caBundle: string }
  /** A server outside the cluster. Without a bundle, the API server uses the roots that its host trusts. */
  | { readonly mode: 'url'; readonly url: string; readonly caBundle: string | undefined };

/**
 * YAML documents of the whole installation, in the order in which they can be applied: the webhook configurations come last,
 * because the API server calls podgraft as soon as they exist. `derived` are the chart's values from the configuration.
 */
export function manifests(settings: ManifestSettings, derived: JsonObject): readonly string[] {
  const { tls, image, replicas, failClosed = false, timeoutSeconds, validate = false } = settings;
  const onlyNamespaces = settings.onlyNamespaces ?? [];
  const values = {
    ...derived,
    ...(image !== undefined && { image: imageValues(image) }),
    replicas,
    webhook: { failClosed, timeoutSeconds, validate, managed: false, onlyNamespaces },
    audit: { interval: settings.auditInterval ?? '', restartMissed: settings.restartMissed ?? false },
    namespace: { create: isOwnNamespace(settings.namespace) },
  };
  if (tls.mode === 'url') {
    const { url, caBundle } = tls;
    const trust = caBundle === undefined ? { mode: 'none' } : { mode: 'secret', caBundle };
    const external = { ...values, tls: trust, externalUrl: url.replace(/\/+$/, '') };
    return renderChart(['webhook-configurations.yaml'], settings, external);
  }
  const { mode, secret } = tls;
  const caBundle = mode === 'secret' ? tls.caBundle : '';
  return renderChart(TEMPLATES, settings, { ...values, tls: { mode, secretName: secret, caBundle } });
}

const TEMPLATES = [
  'namespace.yaml',
  'access.yaml',
  'config-map.yaml',
  'tls.yaml',
  'service.yaml',
  'deployment.yaml',
  'disruption-budget.yaml',
  'network-policy.yaml',
  'webhook-configurations.yaml',
];

/** Namespaces that every cluster has are left alone: podgraft's labels would restrict the other Pods in them. */
function isOwnNamespace(name: string): boolean {
  return name !== 'default' && !name.startsWith('kube-');
}

function imageValues(image: string): JsonObject {
  const [name = '', digest] = image.split('@');
  if (digest !== undefined) return { repository: name, digest };
  const [, repository = name, tag = 'latest'] = /^(.*):([^:/]+)$/.exec(name) ?? [];
  return { repository, tag };
}

/** Definitions of the custom resources that the configured injectors read. */
export function customResourceDefinitions({ stages }: Pipeline): readonly string[] {
  const definitions = stages.flatMap(({ injector }) => injector.crds?.() ?? []);
  const byName = new Map(definitions.map((definition) => [definition.metadata.name, definition]));
  return [...byName.values()].map((definition) => toYaml(definition).trimEnd());
}
