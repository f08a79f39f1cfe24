import type { StringMap } from '../../kube/kube-object.ts';
import { LANGUAGES, type LanguageName } from './language-name.ts';

const PREFIX = 'instrumentation.opentelemetry.io/';

export const CONTAINER_NAMES = `${PREFIX}container-names`;
export const PYTHON_PLATFORM = `${PREFIX}otel-python-platform`;
export const DOTNET_RUNTIME = `${PREFIX}otel-dotnet-auto-runtime`;
export const GO_TARGET = `${PREFIX}otel-go-auto-target-exe`;
export const RESOURCE_PREFIX = 'resource.opentelemetry.io/';
export const COLLECTOR_INJECT = 'sidecar.opentelemetry.io/inject';

export const INJECT_PREFIX = `${PREFIX}inject-`;

export const INJECT: Readonly<Record<LanguageName, string>> = byLanguage((name) => INJECT_PREFIX + name);

/** nginx is the odd one out. */
export const LANGUAGE_CONTAINER_NAMES: Readonly<Record<LanguageName, string>> = byLanguage((name) =>
  name === 'nginx' ? `${PREFIX}inject-nginx-container-names` : `${PREFIX}${name}-container-names`,
);

/**
 * What a Pod and its Namespace say together: the Pod's word counts, but its bare "true" picks up the instance that the
 * Namespace names. Empty where neither says anything.
 */
export function effectiveValue(key: string, pod: StringMap, namespace: StringMap): string {
  const own = textOf(pod, key);
  const shared = textOf(namespace, key);
  if (shared === '' || own === '') return own === '' ? shared : own;
  return !isTrue(own) || isFalse(shared) ? own : shared;
}

export function isTrue(value: string): boolean {
  return value.toLowerCase() === 'true';
}

export function isFalse(value: string): boolean {
  return value.toLowerCase() === 'false';
}

/** For keys with a domain in front, which no prototype has. */
export function textOf(annotations: StringMap, key: string): string {
  return annotations[key] ?? '';
}

function byLanguage(key: (name: LanguageName) => string): Record<LanguageName, string> {
  return Object.fromEntries(LANGUAGES.map((name) => [name, key(name)])) as Record<LanguageName, string>;
}
