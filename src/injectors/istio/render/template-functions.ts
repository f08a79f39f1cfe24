import {
  type FunctionMap,
  func,
  GoMap,
  type Int,
  isMap,
  isNil,
  itemsOf,
  type Meter,
  mapGet,
  mapKeys,
  metered,
  parseJson,
  type Slice,
  Struct,
  sortedKeys,
  sprigFunctions,
  sprint,
  structField,
  toJson,
  type Value,
} from '../../../gotemplate/index.ts';
import { isJsonArray, type JsonObject, tryParseJson } from '../../../sdk/index.ts';
import { formatDuration } from '../config/duration-value.ts';
import { proxyConfigType } from '../config/mesh-types.ts';
import { goTypeName } from '../config/proto-value.ts';
import { proxyConfigText } from '../config/proxy-config.ts';
import { PROXY } from '../names.ts';
import { goJsonText } from '../pod-types/go-json.ts';
import { readWhole, type Source, structText } from '../pod-types/go-struct.ts';
import { yamlText } from '../yaml/go-yaml.ts';
import { otelResourceAttributes } from './otel-attributes.ts';

const STRINGS = 'map[string]string';

/** Sprig's functions, and Istio's, which replace some of them. `env` replaces the environment of istiod. */
export function templateFunctions(env: Readonly<Record<string, string>>): FunctionMap {
  return {
    ...sprigFunctions(),
    annotation: metered(`func(v1.ObjectMeta, string, interface {}) string`, annotation),
    isset: func(`func(${STRINGS}, string) bool`, (map: GoMap, key: string) => has(map, key)),
    valueOrDefault: func('func(interface {}, interface {}) interface {}', (value: Value, fallback: Value) =>
      value === '' || value === null || value === undefined ? fallback : value,
    ),
    excludeInboundPort: metered('func(interface {}, string) string', excludeInboundPort),
    includeInboundPorts: func('func([]v1.Container) string', (list: Slice) => tcpPorts(list, () => true)),
    applicationPorts: func('func([]v1.Container) string', (list: Slice) =>
      tcpPorts(list, (name) => name !== PROXY),
    ),
    kubevirtInterfaces: func('func(string) string', (text: string) => text),
    excludeInterfaces: func('func(string) string', (text: string) => text),
    formatDuration: func('func(*durationpb.Duration) string', formatDuration),
    toJSON: metered(`func(${STRINGS}) string`, (meter: Meter, map: GoMap) =>
      map.entries === null ? '{}' : toJson(map, meter),
    ),
    fromJSON: metered('func(string) interface {}', fromJson),
    structToJSON: metered('func(interface {}) string', structToJson),
    protoToJSON: metered('func(interface {}) string', protoToJson),
    toYaml: metered('func(interface {}) string', (meter: Meter, value: Value) =>
      yamlText(JSON.parse(toJson(value, meter))),
    ),
    // Does not indent the first line, unlike sprig's.
    indent: func('func(int, string) string', (width: Int, text: string) =>
      text.replaceAll('\n', `\n${' '.repeat(Math.max(0, Math.min(1000, Number(width.value))))}`),
    ),
    directory: func('func(string) string', (path: string) => path.slice(0, path.lastIndexOf('/') + 1)),
    contains: func('func(string, string) bool', (needle: string, text: string) => text.includes(needle)),
    toLower: func('func(string) string', (text: string) => text.toLowerCase()),
    appendMultusNetwork: func('func(string, string) string', appendMultusNetwork),
    env: func('func(string, string) string', (key: string, fallback: string) =>
      Object.hasOwn(env, key) && env[key] !== '' ? (env[key] ?? fallback) : fallback,
    ),
    omit: func('func(interface {}, ...string) interface {}', omit),
    omitNil: func('func(interface {}) interface {}', omitNil),
    strdict: func(`func(...string) ${STRINGS}`, (...parts: string[]) => {
      const pairs = parts.flatMap((key, at) => (at % 2 === 0 ? [[key, parts[at + 1] ?? '']] : []));
      return new GoMap('string', Object.fromEntries(pairs));
    }),
    toJsonMap: metered('func(...interface {}) string', (meter: Meter, ...maps: Value[]) =>
      toJson(mergeMaps(...maps), meter),
    ),
    mergeMaps: func('func(...interface {}) interface {}', mergeMaps),
    otelResourceAttributes: func(
      `func(interface {}, ${STRINGS}, ${STRINGS}, string, []v1.Container) string`,
      otelResourceAttributes,
    ),
  };
}

function annotation(meter: Meter, meta: Struct, name: string, fallback: Value): string {
  const annotations = structField(meta, 'Annotations') as GoMap;
  if (has(annotations, name)) return (annotations.entries?.[name] ?? '') as string;
  // A missing value prints as `<nil>`.
  return typeof fallback === 'string' ? fallback : sprint([fallback ?? null], meter);
}

function has(map: GoMap, key: string): boolean {
  return map.entries !== null && Object.hasOwn(map.entries, key);
}

function excludeInboundPort(meter: Meter, port: Value, excluded: string): string {
  const own = (typeof port === 'string' ? port : sprint([port], meter)).trim();
  if (own === '' || own === '0') return excluded;
  const ports = excluded.split(',');
  if (ports.includes(own)) return excluded;
  return [...ports.map((each) => each.trim()).filter((each) => each !== ''), own].join(',');
}

function tcpPorts(list: Slice, wanted: (name: unknown) => boolean): string {
  const containers = (list.items ?? []).map((item) => readWhole((item as Struct).raw as Source));
  return containers
    .filter(({ name }) => wanted(name))
    .flatMap(({ ports }) => (isJsonArray(ports) ? (ports as readonly JsonObject[]) : []))
    .filter(({ protocol }) => protocol !== 'UDP' && protocol !== 'SCTP')
    .map(({ containerPort }) => containerPort)
    .join(',');
}

function fromJson(meter: Meter, text: string): Value {
  const value = parseJson(text, meter);
  return value === undefined ? '{}' : value;
}

function structToJson(meter: Meter, value: Value): string {
  if (isNil(value)) return '{}';
  const own = value instanceof Struct ? structText(value) : undefined;
  return own ?? toJson(value, meter);
}

function protoToJson(meter: Meter, value: Value): string {
  if (isNil(value)) return '{}';
  if (value instanceof Struct && value.type.name === goTypeName(proxyConfigType)) {
    return proxyConfigText(value.raw as JsonObject);
  }
  return value instanceof Struct ? goJsonText(value.raw as JsonObject) : toJson(value, meter);
}

/** Multus accepts names separated by commas, or a JSON list of maps. Existing text is not reformatted. */
function appendMultusNetwork(networks: string, own: string): string {
  if (networks === '') return own;
  if (networks.includes(']')) return withListedNetwork(networks, own);
  // Most do not contain it at all, and the list may be long.
  const isThere = networks.includes(own) && networks.split(',').some((name) => name.trim() === own);
  return isThere ? networks : `${networks}, ${own}`;
}

function withListedNetwork(networks: string, own: string): string {
  const slash = own.indexOf('/');
  const namespace = slash < 0 ? undefined : own.slice(0, slash);
  const name = own.slice(slash + 1);
  const list = listIn(networks);
  const isThere = list?.some((each) => each?.name === name && each.namespace === namespace);
  if (list === undefined || isThere) return networks;
  const entries = Object.entries({ name, ...(namespace !== undefined && { namespace }) });
  const added = entries.map(([key, value]) => `"${key}": "${value}"`).join(', ');
  const end = networks.lastIndexOf(']');
  return `${networks.slice(0, end)}${list.length === 0 ? '' : ', '}{${added}}${networks.slice(end)}`;
}

function listIn(text: string): readonly ({ name?: unknown; namespace?: unknown } | null)[] | undefined {
  const value: unknown = tryParseJson(text);
  return Array.isArray(value) ? value : undefined;
}

/** The result is a map of strings if all arguments are. */
function mapOf(entries: readonly (readonly [string, Value])[], maps: readonly Value[]): Value {
  const map = Object.fromEntries(entries) as Record<string, Value>;
  return maps.every((each) => each instanceof GoMap && each.elem === 'string')
    ? new GoMap('string', map)
    : map;
}

function omit(map: Value, ...keys: string[]): Value {
  if (!isMap(map)) return null;
  const kept = mapKeys(map).filter((key) => !keys.includes(key));
  return mapOf(
    kept.map((key) => [key, mapGet(map, key)]),
    [map],
  );
}

/** A collection that becomes empty is nil, unless it was empty before. */
function omitNil(value: Value): Value {
  if (isMap(value)) {
    const all = sortedKeys(value).map((key) => [key, omitNil(mapGet(value, key))] as const);
    const kept = all.filter(([, child]) => !isNil(child));
    return kept.length === 0 && all.length > 0 ? null : Object.fromEntries(kept);
  }
  const items = itemsOf(value)?.map(omitNil);
  if (items === undefined) return value;
  const kept = items.filter((item) => !isNil(item));
  return kept.length === 0 && items.length > 0 ? null : kept;
}

/** Later maps win. */
function mergeMaps(...maps: Value[]): Value {
  const entries = maps
    .filter(isMap)
    .flatMap((map) => mapKeys(map).map((key) => [key, mapGet(map, key)] as const));
  return mapOf(entries, maps);
}
