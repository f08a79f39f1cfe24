import type { Container, DeepReadonly, JsonObject, Probe } from '../../../sdk/index.ts';
import { isJsonObject } from '../../../sdk/index.ts';
import type { Collector } from '../resources/collector.ts';
import { enabledComponents, listenerPort, listenerSettings } from './components.ts';

type Probes = DeepReadonly<Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe'>>;

/** The probes of a collector with a health check. The resource has their timing only. */
export function collectorProbes(config: JsonObject, spec: Collector['spec']): Probes {
  const httpGet = healthCheck(config);
  if (httpGet === undefined) return {};
  return {
    livenessProbe: { httpGet, ...timing(spec.livenessProbe) },
    readinessProbe: { httpGet, ...timing(spec.readinessProbe) },
    startupProbe: { httpGet, ...timing(spec.startupProbe) },
  };
}

/** The path of the status, by the type of extension. */
const STATUS_PATHS: ReadonlyMap<string, { readonly at: readonly string[]; readonly fallback: string }> =
  new Map([
    ['health_check', { at: [], fallback: '/' }],
    ['healthcheckv2', { at: ['http', 'status'], fallback: '/health/status' }],
  ]);

function healthCheck(config: JsonObject): Probe['httpGet'] | undefined {
  if (!isJsonObject(config.extensions)) return undefined;
  const component = enabledComponents(config).find(
    ({ section, type }) => section === 'extensions' && STATUS_PATHS.has(type),
  );
  const [listener] = component?.listeners ?? [];
  const status = STATUS_PATHS.get(component?.type ?? '');
  if (component === undefined || listener === undefined || status === undefined) return undefined;
  const { path } = listenerSettings(component, { path: status.at });
  const port = listenerPort(component, listener);
  return port === undefined
    ? undefined
    : { path: typeof path === 'string' && path ? path : status.fallback, port };
}

const TIMINGS = [
  'initialDelaySeconds',
  'periodSeconds',
  'timeoutSeconds',
  'successThreshold',
  'failureThreshold',
  'terminationGracePeriodSeconds',
] as const;

function timing(probe: Partial<DeepReadonly<Probe>> = {}): DeepReadonly<Probe> {
  const set = TIMINGS.filter((field) => typeof probe[field] === 'number');
  return Object.fromEntries(set.map((field) => [field, probe[field]]));
}
