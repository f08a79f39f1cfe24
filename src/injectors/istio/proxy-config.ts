import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { type LabelSelector, matchesSelector } from '../../kube/label-selector.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import { goJsonText } from './go-type.ts';
import { MESH_DEFAULTS, meshConfigType, PROXY_DEFAULTS, proxyConfigType } from './mesh-types.ts';
import { canonicalProto, protoJson } from './proto.ts';

export const PROXY_CONFIG_KIND: ResourceRef = {
  group: 'networking.istio.io',
  version: 'v1beta1',
  kind: 'ProxyConfig',
  resource: 'proxyconfigs',
  namespaced: true,
};

const DEFAULTS: JsonObject = { ...MESH_DEFAULTS, defaultConfig: PROXY_DEFAULTS };

/** The mesh's settings over istiod's own, or over those of another mesh: providers by name, maps key by key, all else replaced. */
export function meshConfig(raw: JsonObject, base: JsonObject = DEFAULTS): JsonObject {
  const own = protoJson(raw, meshConfigType);
  return {
    ...base,
    ...own,
    defaultConfig: applyProxyConfig(record(base.defaultConfig), record(own.defaultConfig)),
    defaultProviders: { ...record(base.defaultProviders), ...record(own.defaultProviders) },
    extensionProviders: byName(base.extensionProviders, own.extensionProviders),
  };
}

/** One layer over another: fields are replaced whole, but proxyMetadata key by key; of a oneof the new one stays. */
export function applyProxyConfig(base: JsonObject, layer: JsonObject): JsonObject {
  if (Object.keys(layer).length === 0) return base;
  const wanted = protoJson(layer, proxyConfigType);
  const next: Record<string, Json> = { ...base };
  for (const key of Object.keys(wanted)) {
    const value = wanted[key] as Json;
    const oneof = proxyConfigType.fields.get(key)?.oneof;
    for (const field of oneof === undefined ? [] : proxyConfigType.fields.values()) {
      if (field.oneof === oneof) delete next[field.jsonName];
    }
    const merges = (key === 'proxyMetadata' || key === 'proxyHeaders') && isJsonObject(next[key]);
    next[key] = merges && isJsonObject(value) ? { ...record(next[key]), ...value } : value;
  }
  return next;
}

/** What holds for one Pod, weakest first: mesh, root namespace, namespace, the Pod's annotation, a CR that selects it. */
export function effectiveProxyConfig(
  mesh: JsonObject,
  annotation: JsonObject,
  place: {
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly cluster: ClusterView;
  },
): JsonObject {
  const { namespace, labels, cluster } = place;
  const root = typeof mesh.rootNamespace === 'string' ? mesh.rootNamespace : 'istio-system';
  const ofRoot = cluster.list(PROXY_CONFIG_KIND, root);
  const ofNamespace =
    root === namespace || namespace === '' ? ofRoot : cluster.list(PROXY_CONFIG_KIND, namespace);
  const selecting = ofNamespace.filter((object) => {
    const selector = selectorOf(object);
    return selector !== undefined && matchesSelector(selector, labels);
  });
  const general = (objects: readonly KubeObject[]) =>
    objects.filter((object) => selectorOf(object) === undefined);
  const layers = [
    fromResource(oldest(general(ofRoot))),
    root === namespace ? NOTHING : fromResource(oldest(general(ofNamespace))),
    annotation,
    fromResource(oldest(selecting)),
  ];
  return layers.reduce(appliedOnce, record(mesh.defaultConfig));
}

const applied = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>();

/** The same object for the same layers, by which others know that it says the same. */
function appliedOnce(base: JsonObject, layer: JsonObject): JsonObject {
  const known = applied.get(base) ?? new WeakMap<JsonObject, JsonObject>();
  applied.set(base, known);
  const result = known.get(layer) ?? applyProxyConfig(base, layer);
  known.set(layer, result);
  return result;
}

function selectorOf(object: KubeObject): LabelSelector | undefined {
  const selector = record((object.spec ?? {}) as Json).selector;
  const matchLabels = isJsonObject(selector) ? record(selector.matchLabels) : {};
  return Object.keys(matchLabels).length === 0
    ? undefined
    : { matchLabels: matchLabels as Record<string, string> };
}

function oldest(objects: readonly KubeObject[]): KubeObject | undefined {
  const age = (object: KubeObject) =>
    `${object.metadata.creationTimestamp ?? ''}/${object.metadata.name ?? ''}`;
  return objects.toSorted((one, other) => (age(one) < age(other) ? -1 : 1))[0];
}

const NOTHING: JsonObject = {};
const layersOf = new WeakMap<KubeObject, JsonObject>();

function fromResource(object: KubeObject | undefined): JsonObject {
  if (object === undefined) return NOTHING;
  const layer = layersOf.get(object) ?? layerOf(object);
  layersOf.set(object, layer);
  return layer;
}

/** The resource's three fields, under the names they have in the mesh configuration. */
function layerOf(object: KubeObject): JsonObject {
  const spec = record((object.spec ?? {}) as Json);
  return {
    ...((spec.concurrency ?? null) !== null && { concurrency: spec.concurrency as Json }),
    ...(isJsonObject(spec.environmentVariables) && { proxyMetadata: spec.environmentVariables }),
    ...(isJsonObject(spec.image) && { image: spec.image }),
  };
}

const texts = new WeakMap<JsonObject, string>();

/** As the proxy gets it: what istiod assumes anyway is left out. */
export function proxyConfigText(config: JsonObject): string {
  const known = texts.get(config);
  if (known !== undefined) return known;
  const said = Object.entries(canonicalProto(config, proxyConfigType)).filter(
    ([key, value]) => !DROPPED.has(key) || goJsonText(value) !== goJsonText(PROXY_DEFAULTS[key] ?? null),
  );
  const text = goJsonText(Object.fromEntries(said));
  texts.set(config, text);
  return text;
}

const DROPPED = new Set([...Object.keys(PROXY_DEFAULTS), 'tracing', 'concurrency']);

function byName(base: Json | undefined, own: Json | undefined): Json {
  const list = (value: Json | undefined) => (isJsonArray(value) ? value.filter(isJsonObject) : []);
  const merged = new Map(list(base).map((item) => [item.name, item] as const));
  for (const item of list(own)) merged.set(item.name, item);
  return [...merged.values()];
}

export function record(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
