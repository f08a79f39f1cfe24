import { type JsonObject, shortened } from '../../../sdk/index.ts';
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
  };
  const field = first === undefined ? 'port' : 'targets';
  for (const each of first === undefined ? [config] : new Set(targets)) {
    const problem = each.port === '' ? undefined : portProblem(each.port, statusPort);
    if (problem !== undefined)
      return { refused: `Cannot read annotation "${ANNOTATIONS[field]}": ${problem}` };
  }
  const isScraped = config.scrape !== '' || config.port !== '' || config.path !== '';
  const configured = isScraped
    ? withProxyEnv(pod, { ISTIO_PROMETHEUS_ANNOTATIONS: configText(config, targets) }, options)
    : pod;
  const changes: Record<string, string | undefined> = {};
  for (const key of keys) changes[key] = undefined;
  changes['prometheus.io/port'] = statusPort;
  changes['prometheus.io/path'] = '/stats/prometheus';
  changes['prometheus.io/scrape'] = 'true';
  return { pod: withMetadata(configured, 'annotations', changes) };
}

const ANNOTATIONS = { port: 'prometheus.io/port', targets: 'prometheus.istio.io/scrape-targets' };

interface Target {
  readonly port: string;
  readonly path: string;
  /** Both as JSON. */
  readonly text: string;
}

/** Reads `port:path,...`. Istio ignores the whole list if a port is empty. Equal targets are one object: there may be many. */
function scrapeTargets(text: string): readonly Target[] {
  if (text === '') return [];
  const known = new Map<string, Target>();
  const list: Target[] = [];
  for (const part of text.split(',')) {
    let target = known.get(part);
    if (target === undefined) {
      if (part.trim() === '') continue;
      target = scrapeTarget(part);
      if (target.port === '') return [];
      known.set(part, target);
    }
    list.push(target);
  }
  return list;
}

function scrapeTarget(part: string): Target {
  const colon = part.indexOf(':');
  const port = (colon < 0 ? part : part.slice(0, colon)).trim();
  const path = (colon < 0 ? '' : part.slice(colon + 1).trim()) || '/metrics';
  return { port, path, text: goJsonText({ port, path }) };
}

function configText(config: JsonObject, targets: readonly Target[]): string {
  const text = goJsonText(config);
  if (targets.length === 0) return text;
  return `${text.slice(0, -1)},"targets":[${targets.map((target) => target.text).join()}]}`;
}

function portProblem(port: string, statusPort: string): string | undefined {
  const number = /^[-+]?\d+$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65535) return `"${shortened(port)}" is not a port`;
  const isReserved = RESERVED.has(number) || String(number) === statusPort;
  return isReserved ? `${port} is a port of the proxy` : undefined;
}
