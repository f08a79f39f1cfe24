import {
  type ContainerPort,
  type DeepReadonly,
  isJsonArray,
  isJsonObject,
  type JsonObject,
} from '../../../sdk/index.ts';
import type { Collector } from '../resources/collector.ts';
import { enabledComponents, listenerPort, portOf } from './components.ts';
import { METRICS_PORT } from './default-config.ts';
import { record } from './listeners.ts';

type Port = DeepReadonly<ContainerPort>;

/** The ports of components and of the collector's own metrics, and those of the resource, which override them by name. */
export function collectorPorts(config: JsonObject, ports: Collector['spec']['ports']): readonly Port[] {
  const found = new Map<string, Port>();
  for (const component of enabledComponents(config)) {
    for (const listener of component.listeners) {
      const containerPort = listenerPort(component, listener);
      if (containerPort === undefined || containerPort > 65535) continue;
      const name = portName(`${component.id}${listener.suffix ?? ''}`, containerPort);
      const { protocol } = listener;
      found.set(name, { containerPort, name, ...(protocol && { protocol }) });
    }
  }
  found.set('metrics', { containerPort: metricsPort(config), name: 'metrics' });
  for (const port of declaredPorts(ports)) found.set(port.name ?? `port-${port.containerPort}`, port);
  return [...found.values()].toSorted((one, other) => ((one.name ?? '') < (other.name ?? '') ? -1 : 1));
}

/** The ports of the resource. */
export function declaredPorts(ports: Collector['spec']['ports']): readonly Port[] {
  return ports.flatMap(({ name, port, containerPort = port, protocol, hostPort }) => {
    if (containerPort === undefined) return [];
    const declared = { ...(name && { name }), ...(protocol && { protocol }), ...(hostPort && { hostPort }) };
    return [{ containerPort, ...declared }];
  });
}

/** The port of the first Prometheus reader, or of the address that older collectors have instead of readers. */
function metricsPort(config: JsonObject): number {
  const metrics = record(record(record(config.service).telemetry).metrics);
  const readers = isJsonArray(metrics.readers) ? metrics.readers : [];
  if (readers.length === 0) return portOf(metrics.address) ?? METRICS_PORT;
  const exporters = readers.map((reader) => record(record(record(reader).pull).exporter).prometheus);
  const port = record(exporters.find(isJsonObject)).port;
  return typeof port === 'number' && port > 0 && port <= 65535 ? port : METRICS_PORT;
}

/** Kubernetes requires names of at most 15 lower-case letters, digits and single dashes, with at least one letter. */
function portName(id: string, port: number): string {
  const name = id.length > 15 ? '' : id.replaceAll(/[/_]/g, '-');
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && /[a-z]/.test(name) ? name : `port-${port}`;
}
