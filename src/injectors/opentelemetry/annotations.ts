/** In the order of injection, which determines the order of everything that is added to the Pod. */
export const LANGUAGES = [
  'java',
  'nodejs',
  'python',
  'dotnet',
  'go',
  'apache-httpd',
  'nginx',
  'sdk',
] as const;

export type LanguageName = (typeof LANGUAGES)[number];

const PREFIX = 'instrumentation.opentelemetry.io/';

export const CONTAINER_NAMES = `${PREFIX}container-names`;
export const PYTHON_PLATFORM = `${PREFIX}otel-python-platform`;
export const DOTNET_RUNTIME = `${PREFIX}otel-dotnet-auto-runtime`;
export const GO_TARGET = `${PREFIX}otel-go-auto-target-exe`;
export const RESOURCE_PREFIX = 'resource.opentelemetry.io/';
export const SERVICE_NAME = `${RESOURCE_PREFIX}service.name`;
export const SERVICE_VERSION = `${RESOURCE_PREFIX}service.version`;
export const SERVICE_NAMESPACE = `${RESOURCE_PREFIX}service.namespace`;
export const COLLECTOR_INJECT = 'sidecar.opentelemetry.io/inject';

export function injectKey(language: LanguageName): string {
  return INJECT_KEYS.get(language) ?? '';
}

export function containerNamesKey(language: LanguageName): string {
  return CONTAINER_NAMES_KEYS.get(language) ?? '';
}

// Looking up a concatenated string takes several times as long.
const INJECT_KEYS = keysBy((language) => `${PREFIX}inject-${language}`);
const CONTAINER_NAMES_KEYS = keysBy((language) =>
  // The operator keeps the "inject-" prefix for nginx only.
  language === 'nginx' ? `${PREFIX}inject-nginx-container-names` : `${PREFIX}${language}-container-names`,
);

function keysBy(keyOf: (language: LanguageName) => string): ReadonlyMap<LanguageName, string> {
  return new Map(LANGUAGES.map((language) => [language, keyOf(language)]));
}

/** On an Instrumentation: the default image by which the operator recognizes its own value when it is upgraded. */
export function defaultImageKey(language: LanguageName): string {
  return `${PREFIX}default-auto-instrumentation-${language}-image`;
}

export function isTrue(value: string): boolean {
  return value.toLowerCase() === 'true';
}

/** Whether the value of an injection annotation requests something: an instance by name, or "true". */
export function isRequested(value: string): boolean {
  return value !== '' && !isFalse(value);
}

export function isFalse(value: string): boolean {
  return value.toLowerCase() === 'false';
}

/** Splits `NAME` or `NAMESPACE/NAME`. */
export function instanceOf(value: string, namespace: string): { namespace: string; name: string } {
  const slash = value.indexOf('/');
  if (slash < 0) return { namespace, name: value };
  return { namespace: value.slice(0, slash), name: value.slice(slash + 1) };
}
