import { isJsonArray, type Json, type JsonObject, member } from '../../../sdk/index.ts';
import {
  EXPORTERS,
  EXTENSIONS,
  type Listener,
  PROTOCOL_RECEIVERS,
  RECEIVERS,
  type Registry,
  record,
} from './listeners.ts';

export type Section = 'receivers' | 'exporters' | 'extensions';

/** A component that the service of a collector uses. */
export interface Component {
  readonly section: Section;
  /** The name in the configuration, such as `otlp/2`. */
  readonly id: string;
  readonly type: string;
  readonly settings: Json | undefined;
  readonly listeners: readonly Listener[];
  /** Whether it has an endpoint for each of its `protocols`. */
  readonly hasProtocols: boolean;
}

const REGISTRIES: Readonly<Record<Section, Registry>> = {
  receivers: RECEIVERS,
  exporters: EXPORTERS,
  extensions: EXTENSIONS,
};

/** The components that pipelines and the service name; others are never started. */
export function enabledComponents(config: JsonObject): readonly Component[] {
  const service = record(config.service);
  const pipelines = Object.values(record(service.pipelines)).map(record);
  const ids: Readonly<Record<Section, Set<string>>> = {
    receivers: new Set(pipelines.flatMap(({ receivers }) => names(receivers))),
    exporters: new Set(pipelines.flatMap(({ exporters }) => names(exporters))),
    extensions: new Set(names(service.extensions)),
  };
  return (['receivers', 'exporters', 'extensions'] as const).flatMap((section) =>
    [...ids[section]].map((id) => component(section, id, config)),
  );
}

function component(section: Section, id: string, config: JsonObject): Component {
  const type = id.split('/', 1)[0] ?? id;
  const settings = member(record(config[section]), id);
  const listeners = REGISTRIES[section].get(type)?.(record(settings)) ?? unknownListeners(section);
  const hasProtocols = section === 'receivers' && PROTOCOL_RECEIVERS.has(type);
  return { section, id, type, settings, listeners, hasProtocols };
}

/** Most receivers listen on their `endpoint`. */
function unknownListeners(section: Section): readonly Listener[] {
  return section === 'receivers' ? [{ path: [] }] : [];
}

/** The settings of a listener. */
export function listenerSettings({ settings }: Component, { path }: Listener): JsonObject {
  return path.reduce<JsonObject>((part, key) => record(member(part, key)), record(settings));
}

/** The port of a listener: that of its endpoint or else the default. */
export function listenerPort(component: Component, listener: Listener): number | undefined {
  const { endpoint, listen_address } = listenerSettings(component, listener);
  return portOf(endpoint || listen_address) ?? listener.port;
}

/** The port of an address, which may contain variables such as `${env:POD_IP}:4317`. */
export function portOf(address: Json | undefined): number | undefined {
  if (typeof address !== 'string') return undefined;
  const digits = /:([0-9]{1,5})(?:\/|$)/.exec(address)?.[1];
  return Number(digits) || undefined;
}

function names(list: Json | undefined): readonly string[] {
  return isJsonArray(list) ? list.filter((item) => typeof item === 'string') : [];
}
