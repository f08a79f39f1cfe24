import { GoMap, itemsOf, Struct, type Value } from '../../../gotemplate/index.ts';
import { isJsonArray, type JsonObject } from '../../../sdk/index.ts';
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
  const [first, ...others] = (itemsOf(containers) ?? []).map((item) =>
    item instanceof Struct ? readWhole(item.raw as Source) : {},
  );
  const version =
    annotation('service.version') ||
    entry(labels, 'app.kubernetes.io/version') ||
    (others.length === 0 ? versionOf(first?.image) : '');
  const instance = first === undefined ? '' : `${namespace}.$(POD_NAME).${first.name ?? ''}`;
  const attributes = [
    ['service.namespace', annotation('service.namespace') || namespace],
    ['service.version', version],
    ['service.instance.id', annotation('service.instance.id') || instance],
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

/** The tag, the digest, or `tag@digest` of an image. */
function versionOf(image: unknown): string {
  if (typeof image !== 'string') return '';
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const colon = name.lastIndexOf(':');
  const tag = colon > name.lastIndexOf('/') ? name.slice(colon + 1) : '';
  return [tag, at < 0 ? '' : image.slice(at + 1)].filter((part) => part !== '').join('@');
}
