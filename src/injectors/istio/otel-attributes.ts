import { itemsOf } from '../../gotemplate/containers.ts';
import { GoMap, Struct, type Value } from '../../gotemplate/values.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/json.ts';
import { type Watched, wholeOf } from './go-type.ts';
import { PROXY } from './names.ts';

const ANNOTATION = 'resource.opentelemetry.io/';

/** `OTEL_RESOURCE_ATTRIBUTES` by OpenTelemetry's conventions for Kubernetes; empty unless a provider of the mesh asks for it. */
export function otelResourceAttributes(
  mesh: Value,
  annotations: Value,
  labels: Value,
  namespace: string,
  containers: Value,
): string {
  const providers = mesh instanceof Struct ? (mesh.raw as JsonObject | null)?.extensionProviders : undefined;
  const enriching = (isJsonArray(providers) ? providers : []).some(
    (provider) =>
      isJsonObject(provider) &&
      isJsonObject(provider.opentelemetry) &&
      provider.opentelemetry.serviceAttributeEnrichment === 'OTEL_SEMANTIC_CONVENTIONS',
  );
  if (!enriching) return '';
  const said = (name: string) => entry(annotations, ANNOTATION + name);
  const app = (itemsOf(containers) ?? [])
    .map((item) => (item instanceof Struct ? wholeOf(item.raw as Watched) : {}))
    .find(({ name }) => name !== PROXY);
  const version = said('service.version') || entry(labels, 'app.kubernetes.io/version') || tagOf(app?.image);
  const instance = said('service.instance.id') || `${namespace}.$(POD_NAME).${app?.name ?? ''}`;
  const attributes = [
    ['service.namespace', said('service.namespace') || namespace],
    ['service.version', version],
    ['service.instance.id', app === undefined ? '' : instance],
  ];
  return attributes
    .filter(([, value]) => value !== '')
    .map((pair) => pair.join('='))
    .join(',');
}

function entry(map: Value, key: string): string {
  const value =
    map instanceof GoMap && map.entries !== null && Object.hasOwn(map.entries, key) ? map.entries[key] : '';
  return typeof value === 'string' ? value : '';
}

function tagOf(image: unknown): string {
  return typeof image === 'string' ? (/:([\w.-]+)(@.*)?$/.exec(image)?.[1] ?? '') : '';
}
