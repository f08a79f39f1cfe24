import { itemsOf } from '../../../gotemplate/containers.ts';
import { GoMap, Struct, type Value } from '../../../gotemplate/values.ts';
import { isJsonArray, type JsonObject } from '../../../sdk/index.ts';
import { PROXY } from '../names.ts';
import { asObject } from '../pod-json.ts';
import { readWhole, type Source } from '../pod-types/go-struct.ts';

const ANNOTATION = 'resource.opentelemetry.io/';

/** `OTEL_RESOURCE_ATTRIBUTES` by OpenTelemetry's conventions for Kubernetes; empty unless a provider of the mesh enables it. */
export function otelResourceAttributes(
  mesh: Value,
  annotations: Value,
  labels: Value,
  namespace: string,
  containers: Value,
): string {
  if (!(mesh instanceof Struct) || !isEnabled(mesh.raw as JsonObject | null)) return '';
  const annotation = (name: string) => entry(annotations, ANNOTATION + name);
  const app = (itemsOf(containers) ?? [])
    .map((item) => (item instanceof Struct ? readWhole(item.raw as Source) : {}))
    .find(({ name }) => name !== PROXY);
  const version =
    annotation('service.version') || entry(labels, 'app.kubernetes.io/version') || tagOf(app?.image);
  const instance = annotation('service.instance.id') || `${namespace}.$(POD_NAME).${app?.name ?? ''}`;
  const attributes = [
    ['service.namespace', annotation('service.namespace') || namespace],
    ['service.version', version],
    ['service.instance.id', app === undefined ? '' : instance],
  ];
  return attributes
    .filter(([, value]) => value !== '')
    .map((pair) => pair.join('='))
    .join(',');
}

function isEnabled(mesh: JsonObject | null): boolean {
  const providers = mesh?.extensionProviders;
  return (isJsonArray(providers) ? providers : []).some((provider) => {
    const { serviceAttributeEnrichment } = asObject(asObject(provider).opentelemetry);
    return serviceAttributeEnrichment === 'OTEL_SEMANTIC_CONVENTIONS';
  });
}

function entry(map: Value, key: string): string {
  const entries = map instanceof GoMap ? map.entries : null;
  const value = entries !== null && Object.hasOwn(entries, key) ? entries[key] : '';
  return typeof value === 'string' ? value : '';
}

function tagOf(image: unknown): string {
  return typeof image === 'string' ? (/:([\w.-]+)(@.*)?$/.exec(image)?.[1] ?? '') : '';
}
