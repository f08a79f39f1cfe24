import {
  type ClusterView,
  cacheByObject,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  matchesSelector,
  type ResourceRef,
} from '../../../sdk/index.ts';
import { asObject } from '../pod-json.ts';
import { goJsonText } from '../pod-types/go-json.ts';
import { MESH_DEFAULTS, meshConfigType, PROXY_DEFAULTS, proxyConfigType } from './mesh-types.ts';
import { canonicalProto, isZero, protoJson } from './proto-json.ts';

export const PROXY_CONFIG_KIND: ResourceRef = {
  group: 'networking.istio.io',
  version: 'v1beta1',
  kind: 'ProxyConfig',
  resource: 'proxyconfigs',
  namespaced: true,
};

const DEFAULTS: JsonObject = { ...MESH_DEFAULTS, defaultConfig: PROXY_DEFAULTS };

/** Mesh settings over weaker ones: providers merge by name, the proxy's settings and default providers by field. */
export function meshConfig(raw: JsonObject, base: JsonObject = DEFAULTS): JsonObject {
  const own = protoJson(raw, meshConfigType);
  return {
    ...base,
    ...own,
    defaultConfig: applyProxyConfig(asObject(base.defaultConfig), asObject(own.defaultConfig)),
    defaultProviders: { ...asObject(base.defaultProviders), ...asObject(own.defaultProviders) },
    extensionProviders: mergedByName(base.extensionProviders, own.extensionProviders),
  };
}

function mergedByName(base: Json | undefined, own: Json | undefined): Json {
  const items = [base, own].flatMap((list) => (isJsonArray(list) ? list.filter(isJsonObject) : []));
  return [...new Map(items.map((item) => [item.name, item])).values()];
}

/** A layer over the base: fields are replaced, but two maps merge by key. The layer's member of a oneof replaces the base's. */
function applyProxyConfig(base: JsonObject, layer: JsonObject): JsonObject {
  const own = protoJson(layer, proxyConfigType);
  if (Object.keys(own).length === 0) return base;
  const next: Record<string, Json> = { ...base };
  for (const key of Object.keys(own)) {
    const value = own[key] as Json;
    const oneof = proxyConfigType.fields.get(key)?.oneof;
    for (const field of oneof === undefined ? [] : proxyConfigType.fields.values()) {
      if (field.oneof === oneof) delete next[field.jsonName];
    }
    const isMerged = key === 'proxyMetadata' || key === 'proxyHeaders';
    next[key] = isMerged && isJsonObject(value) ? { ...asObject(next[key]), ...value } : value;
  }
  return next;
}

/**
 * A layer of settings without fields that have the zero value, such as `interceptionMode: REDIRECT`: Istio treats them as absent,
 * so they do not replace those of a weaker layer.
 */
function withoutZeros(config: JsonObject): JsonObject {
  const isKept = (key: string) => {
    const field = proxyConfigType.fields.get(key);
    return field !== undefined && !isZero(config[key] as Json, field);
  };
  const keys = Object.keys(config);
  if (keys.every(isKept)) return config;
  return Object.fromEntries(keys.filter(isKept).map((key) => [key, config[key] as Json]));
}

/** The mesh's settings for all proxies. One object for each mesh: renderings are cached by it. */
export const meshProxyConfig = cacheByObject((config: JsonObject): JsonObject => {
  const own = withoutZeros(config);
  return own === config ? config : applyProxyConfig(PROXY_DEFAULTS, own);
});

/**
 * The proxy's settings for one Pod. Layers, weakest first: the mesh, a ProxyConfig of the root namespace, one of the Pod's
 * namespace, the Pod's annotation, a ProxyConfig that selects the Pod. Returns the mesh's own object if no layer changes it.
 */
export function effectiveProxyConfig(
  mesh: JsonObject,
  annotation: JsonObject,
  pod: {
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly cluster: ClusterView;
  },
): JsonObject {
  const { namespace, labels, cluster } = pod;
  const root = typeof mesh.rootNamespace === 'string' ? mesh.rootNamespace : 'istio-system';
  const ofRoot = cluster.list(PROXY_CONFIG_KIND, root);
  const isRoot = root === namespace;
  const own = isRoot || namespace === '' ? ofRoot : cluster.list(PROXY_CONFIG_KIND, namespace);
  const ofMesh = meshProxyConfig(asObject(mesh.defaultConfig));
  if (ofRoot.length === 0 && own.length === 0 && Object.keys(annotation).length === 0) return ofMesh;
  const isGeneral = (object: KubeObject) => (selectorOf(object) ?? null) === null;
  // A selector without labels selects nothing.
  const selects = (object: KubeObject) => {
    const { matchLabels } = asObject(selectorOf(object));
    const isEmpty = Object.keys(asObject(matchLabels)).length === 0;
    return !isEmpty && matchesSelector({ matchLabels: matchLabels as Record<string, string> }, labels);
  };
  const layers = [
    layerOf(oldest(ofRoot.filter(isGeneral))),
    isRoot ? {} : layerOf(oldest(own.filter(isGeneral))),
    annotation,
    layerOf(oldest(own.filter(selects))),
  ];
  return layers.map(withoutZeros).reduce(applyProxyConfig, ofMesh);
}

function selectorOf(object: KubeObject): Json | undefined {
  return asObject(object.spec as Json | undefined).selector;
}

function oldest(objects: readonly KubeObject[]): KubeObject | undefined {
  const age = ({ metadata }: KubeObject) => `${metadata.creationTimestamp ?? ''}/${metadata.name ?? ''}`;
  return objects.toSorted((one, other) => (age(one) < age(other) ? -1 : 1))[0];
}

/** The three fields of the resource, by their names in the mesh configuration. */
function layerOf(object: KubeObject | undefined): JsonObject {
  const { concurrency, environmentVariables, image } = asObject(object?.spec as Json | undefined);
  return {
    ...((concurrency ?? null) !== null && { concurrency: concurrency as Json }),
    ...(isJsonObject(environmentVariables) && { proxyMetadata: environmentVariables }),
    ...(isJsonObject(image) && { image }),
  };
}

/** The text that the proxy is started with, without Istio's defaults. */
export function proxyConfigText(config: JsonObject): string {
  const entries = Object.entries(canonicalProto(config, proxyConfigType)).filter(
    ([key, value]) => !OMITTED.has(key) || goJsonText(value) !== goJsonText(PROXY_DEFAULTS[key] ?? null),
  );
  return goJsonText(Object.fromEntries(entries));
}

const OMITTED = new Set([...Object.keys(PROXY_DEFAULTS), 'tracing', 'concurrency']);
