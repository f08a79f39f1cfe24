import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { ContainerPort, DeepReadonly, Probe } from '../../sdk/index.ts';
import type { Collector } from './collector.ts';

type Port = DeepReadonly<ContainerPort>;

/** Ports that components listen on where their configuration names none, by the path of that part. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'otlp.protocols.grpc': 4317,
  'otlp.protocols.http': 4318,
  'jaeger.protocols.grpc': 14250,
  'jaeger.protocols.thrift_http': 14268,
  zipkin: 9411,
};

/** The ports of the resource, and those that its receivers and its Prometheus exporters listen on, by name. */
export function collectorPorts({ config, ports }: Collector['spec']): readonly Port[] {
  const found = new Map<number, Port>();
  for (const { name, port, containerPort = port, protocol } of ports) {
    if (containerPort === undefined) continue;
    found.set(containerPort, { containerPort, ...(name && { name }), ...(protocol && { protocol }) });
  }
  // Text is for the collector alone to read.
  const { receivers, exporters } = typeof config === 'string' ? {} : config;
  for (const [id, value] of Object.entries(record(receivers))) listen(id, typeOf(id), value);
  for (const [id, value] of Object.entries(record(exporters))) {
    if (typeOf(id) === 'prometheus') listen(id, typeOf(id), value);
  }
  return [...found.values()].toSorted((one, other) => ((one.name ?? '') < (other.name ?? '') ? -1 : 1));

  function listen(id: string, path: string, value: Json): void {
    const part = record(value);
    const containerPort = portOf(part.endpoint) ?? DEFAULT_PORTS[path];
    if (containerPort !== undefined && !found.has(containerPort)) {
      found.set(containerPort, { containerPort, name: portName(id, containerPort, [...found.values()]) });
    }
    for (const [protocol, settings] of Object.entries(record(part.protocols))) {
      listen(`${id}-${protocol}`, `${path}.protocols.${protocol}`, settings);
    }
  }
}

/** The probe of a collector that has the `health_check` extension in service. */
export function healthProbe(config: Collector['spec']['config']): DeepReadonly<Probe> | undefined {
  if (typeof config === 'string') return undefined;
  const { extensions = [] } = record(config.service);
  const names = isJsonArray(extensions) ? extensions : [];
  const id = names.find(
    (name): name is string => typeof name === 'string' && typeOf(name) === 'health_check',
  );
  if (id === undefined) return undefined;
  const { endpoint, path } = record(record(config.extensions)[id]);
  return { httpGet: { path: typeof path === 'string' ? path : '/', port: portOf(endpoint) ?? 13133 } };
}

/** `otlp/2` is an `otlp`. */
function typeOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

function portOf(endpoint: Json | undefined): number | undefined {
  const port = typeof endpoint === 'string' ? /:(\d{1,5})$/.exec(endpoint)?.[1] : undefined;
  return port === undefined ? undefined : Number(port);
}

/** At most 15 characters, lower case letters, digits and single dashes, with a letter among them; no other port has it. */
function portName(id: string, port: number, others: readonly Port[]): string {
  const name = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const isFree = !others.some((other) => other.name === name);
  return isFree && name.length <= 15 && /[a-z]/.test(name) ? name : `port-${port}`;
}

function record(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
