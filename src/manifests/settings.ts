import type { Pipeline } from '../pipeline/pipeline.ts';

/** Everything that the manifests are made from. */
export interface ManifestSettings {
  readonly pipeline: Pipeline;
  readonly files: ConfigFiles;
  /** Of the Deployment, the Service, the webhook configurations and the rest. */
  readonly name: string;
  readonly namespace: string;
  readonly version: string;
  readonly image: string;
  readonly replicas: number;
  readonly webhook: WebhookPolicy;
  readonly tls: Tls;
  /** Whether the definitions of custom resources come along. */
  readonly crds: boolean;
}

export interface WebhookPolicy {
  readonly failurePolicy: 'Ignore' | 'Fail';
  readonly timeoutSeconds: number;
  /** Whether the final state is checked as well. */
  readonly validate: boolean;
  /** Undefined for all that are not excluded. */
  readonly onlyNamespaces: readonly string[] | undefined;
}

/** What the ConfigMap holds, as text: comments and order are the user's. */
export interface ConfigFiles {
  readonly config: string;
  /** The user's own injectors, by their path beside the configuration. */
  readonly modules: readonly ModuleFile[];
}

export interface ModuleFile {
  readonly path: string;
  readonly text: string;
}

/** Where the serving certificate comes from, and how the API server learns of its CA. `caBundle` is base64 of PEM. */
export type Tls =
  | { readonly mode: 'self-managed'; readonly secret: string }
  | { readonly mode: 'cert-manager'; readonly secret: string }
  | { readonly mode: 'secret'; readonly secret: string; readonly caBundle: string }
  /** The server runs elsewhere; without a bundle, the API server trusts what its machine trusts. */
  | { readonly mode: 'url'; readonly url: string; readonly caBundle: string | undefined };

/** What the Pods' template selects on must never change: Deployments refuse it. */
export function selectorLabels(name: string): { readonly [key: string]: string } {
  return { 'app.kubernetes.io/name': 'podgraft', 'app.kubernetes.io/instance': name };
}

export function labelsFor({ name, version }: Pick<ManifestSettings, 'name' | 'version'>): {
  readonly [key: string]: string;
} {
  return { ...selectorLabels(name), 'app.kubernetes.io/version': version };
}

/** Of an object in podgraft's own namespace. */
export function metadataFor(settings: ManifestSettings, name: string = settings.name) {
  return { name, namespace: settings.namespace, labels: labelsFor(settings) };
}
