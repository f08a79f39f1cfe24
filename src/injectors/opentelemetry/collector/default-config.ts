import { cacheByObject, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../sdk/index.ts';
import { type Component, enabledComponents, portOf, type Section } from './components.ts';
import { type Listener, record } from './listeners.ts';

/** Collectors listen on localhost by default, where the kubelet cannot reach them. */
const ADDRESS = '0.0.0.0';
export const METRICS_PORT = 8888;

/**
 * The configuration with the defaults that the operator's webhook writes into the resource: endpoints of components that are in
 * use, and a reader for the collector's own metrics. Defaults that are already there stay as they are.
 */
export const withDefaults = cacheByObject((config: JsonObject): JsonObject => {
  const components = enabledComponents(config);
  const section = (name: Section) => withComponents(record(config[name]), name, components);
  const service = record(config.service);
  return {
    ...config,
    receivers: section('receivers'),
    exporters: section('exporters'),
    ...(isJsonObject(config.extensions) && { extensions: section('extensions') }),
    service: { ...withMetricsReader(service), pipelines: record(service.pipelines) },
  };
});

function withComponents(
  settings: JsonObject,
  section: Section,
  components: readonly Component[],
): JsonObject {
  const entries = new Map(Object.entries(settings));
  for (const component of components) {
    if (component.section !== section) continue;
    const value = defaultSettings(component);
    if (value !== undefined) entries.set(component.id, value);
  }
  return Object.fromEntries(entries);
}

function defaultSettings({ type, settings, listeners, hasProtocols }: Component): Json | undefined {
  let value = settings;
  if (hasProtocols) value = changed(value, ['protocols'], (protocols) => protocols);
  for (const listener of listeners) {
    if (listener.port === undefined) continue;
    value = changed(value, listener.path, (map) => ({ ...map, endpoint: defaultEndpoint(map, listener) }));
  }
  if (type === 'health_check') value = changed(value, [], (map) => withPath(map, '/'));
  if (type === 'healthcheckv2')
    value = changed(value, ['http', 'status'], (map) => withPath(map, '/health/status'));
  return value;
}

function defaultEndpoint({ endpoint, listen_address }: JsonObject, { port }: Listener): Json {
  if (!endpoint) return `${ADDRESS}:${portOf(listen_address) ?? port}`;
  return typeof endpoint === 'string' && /^:[0-9]+$/.test(endpoint) ? `${ADDRESS}${endpoint}` : endpoint;
}

function withPath(map: JsonObject, path: string): JsonObject {
  return map.path ? map : { ...map, path };
}

/** Changes a nested map, which is empty if it is absent. Other values than maps stay. */
function changed(
  value: Json | undefined,
  [key, ...rest]: readonly string[],
  change: (map: JsonObject) => JsonObject,
): Json {
  if (value !== undefined && value !== null && !isJsonObject(value)) return value;
  const map = record(value);
  return key === undefined ? change(map) : { ...map, [key]: changed(map[key], rest, change) };
}

function withMetricsReader(service: JsonObject): JsonObject {
  const telemetry = record(service.telemetry);
  const metrics = record(telemetry.metrics);
  const hasReaders = isJsonArray(metrics.readers) && metrics.readers.length > 0;
  if (hasReaders || metrics.address) return service;
  const prometheus = { host: ADDRESS, port: METRICS_PORT };
  const readers = [{ pull: { exporter: { prometheus } } }];
  return { ...service, telemetry: { ...telemetry, metrics: { ...metrics, readers } } };
}
