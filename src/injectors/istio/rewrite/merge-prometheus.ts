import type { JsonObject } from '../../../sdk/index.ts';
import { shortened } from '../message.ts';
import { metadataOf, parseBool, withMetadata } from '../pod-json.ts';
import { goJsonText } from '../pod-types/go-json.ts';
import { withProxyEnv } from './proxy-env.ts';

const MERGE = 'prometheus.istio.io/merge-metrics';
/** Ports of the proxy and its agent, which cannot be the application's. */
const RESERVED = new Set([15000, 15001, 15004, 15006, 15008, 15020, 15021, 15053, 15090]);

/** Annotations such as `prometheus.io/port`, in all spellings that Prometheus treats alike: it replaces punctuation by `_`. */
const SPELLING = /^prometheus[\W_](?:io[\W_](scrape|port|path)|istio[\W_]io[\W_]scrape[\W_](targets))$/;

type Annotations = Readonly<Record<string, string>>;

export interface PrometheusAnnotations {
  readonly keys: readonly string[];
  readonly values: { readonly [field in 'scrape' | 'port' | 'path' | 'targets']?: string };
}

/** The annotations for Prometheus, in any spelling; of several, the first counts. */
export function prometheusAnnotations(annotations: Annotations): PrometheusAnnotations {
  const keys: string[] = [];
  const values: Record<string, string> = {};
  for (const key in annotations) {
    const match = key.startsWith('prometheus') ? SPELLING.exec(key) : null;
    if (match === null) continue;
    keys.push(key);
    values[(match[1] ?? match[2]) as string] ??= annotations[key] as string;
  }
  return { keys, values };
}

/**
 * Makes the proxy's agent scrape the application, and Prometheus the agent: the Pod's own annotations move to the
 * environment of the proxy, and point to the agent instead.
 */
export function mergePrometheus(
  pod: JsonObject,
  mesh: JsonObject,
  options: { readonly statusPort: string; readonly isReinjection: boolean },
): { readonly pod: JsonObject } | { readonly refused: string } {
  const { statusPort } = options;
  const annotations = metadataOf(pod, 'annotations');
  const { keys, values } = prometheusAnnotations(annotations);
  const { scrape, port, path } = values;
  const isMerged = parseBool(annotations[MERGE]) ?? mesh.enablePrometheusMerge !== false;
  if (parseBool(scrape) === false || !isMerged || port === statusPort) return { pod };

  const targets = scrapeTargets(values.targets ?? '');
  const [first] = targets;
  const config = {
    scrape: scrape ?? '',
    path: first?.path ?? path ?? '',
    port: first?.port ?? port ?? '',
    ...(first !== undefined && { targets }),
  };
  const field = first === undefined ? 'port' : 'targets';
  for (const each of portsOf(config)) {
    const problem = portProblem(each, statusPort);
    if (problem !== undefined)
      return { refused: `Cannot read annotation "${ANNOTATIONS[field]}": ${problem}` };
  }
  const isScraped = config.scrape !== '' || config.port !== '' || config.path !== '';
  const configured = isScraped
    ? withProxyEnv(pod, { ISTIO_PROMETHEUS_ANNOTATIONS: goJsonText(config) }, options)
    : pod;
  const changes: Record<string, string | undefined> = {};
  for (const key of keys) changes[key] = undefined;
  changes['prometheus.io/port'] = statusPort;
  changes['prometheus.io/path'] = '/stats/prometheus';
  changes['prometheus.io/scrape'] = 'true';
  return { pod: withMetadata(configured, 'annotations', changes) };
}

const ANNOTATIONS = { port: 'prometheus.io/port', targets: 'prometheus.istio.io/scrape-targets' };

type Target = { readonly port: string; readonly path: string };

/** Reads `port:path,...`. Istio ignores the whole list if a port is empty. */
function scrapeTargets(text: string): readonly Target[] {
  if (text === '') return [];
  const list = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const colon = part.indexOf(':');
      const [port, path] = colon < 0 ? [part, ''] : [part.slice(0, colon), part.slice(colon + 1)];
      return { port: port.trim(), path: path.trim() || '/metrics' };
    });
  return list.some(({ port }) => port === '') ? [] : list;
}

function portsOf(config: { readonly port: string; readonly targets?: readonly Target[] }): readonly string[] {
  return config.targets?.map(({ port }) => port) ?? (config.port === '' ? [] : [config.port]);
}

function portProblem(port: string, statusPort: string): string | undefined {
  const number = /^[-+]?\d+$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65535) return `"${shortened(port)}" is not a port`;
  const isReserved = RESERVED.has(number) || String(number) === statusPort;
  return isReserved ? `${port} is a port of the proxy` : undefined;
}
