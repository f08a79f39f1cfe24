import type { JsonObject } from '../../../sdk/index.ts';
import { shortened } from '../message.ts';
import { metadataOf, parseBool, withMetadata } from '../pod-json.ts';
import { goJsonText } from '../pod-types/go-json.ts';
import { withProxyEnv } from './proxy-env.ts';

const MERGE = 'prometheus.istio.io/merge-metrics';
const TARGETS = 'prometheus.istio.io/scrape-targets';
/** Ports of the proxy and its agent, which cannot be the application's. */
const RESERVED = new Set([15000, 15001, 15004, 15006, 15008, 15020, 15021, 15053, 15090]);

/** Annotations such as `prometheus.io/port`, in all spellings that Prometheus treats alike: it replaces punctuation by `_`. */
const SPELLINGS = {
  scrape: /^prometheus[\W_]io[\W_]scrape$/,
  port: /^prometheus[\W_]io[\W_]port$/,
  path: /^prometheus[\W_]io[\W_]path$/,
};
const ALL_SPELLINGS = Object.values(SPELLINGS);

type Annotations = Readonly<Record<string, string>>;

/** The value of an annotation for Prometheus, in any spelling. */
export function prometheusValue(annotations: Annotations, field: keyof typeof SPELLINGS): string | undefined {
  return annotations[prometheusKeys(annotations).find((key) => SPELLINGS[field].test(key)) ?? ''];
}

/** The keys of all annotations for Prometheus. */
export function prometheusKeys(annotations: Annotations): readonly string[] {
  const candidates = Object.keys(annotations).filter((key) => key.startsWith('prometheus'));
  return candidates.filter((key) => ALL_SPELLINGS.some((spelling) => spelling.test(key)));
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
  const scrape = prometheusValue(annotations, 'scrape');
  const port = prometheusValue(annotations, 'port');
  const path = prometheusValue(annotations, 'path');
  const isMerged = parseBool(annotations[MERGE]) ?? mesh.enablePrometheusMerge !== false;
  if (parseBool(scrape) === false || !isMerged || port === statusPort) return { pod };

  const targets = scrapeTargets(annotations[TARGETS] ?? '', statusPort);
  if ('refused' in targets) return targets;
  const [first] = targets.list;
  const config = {
    scrape: scrape ?? '',
    path: path ?? first?.path ?? '',
    port: port ?? first?.port ?? '',
    ...(first !== undefined && { targets: targets.list }),
  };
  const isScraped = first !== undefined || [scrape, port, path].some((each) => (each ?? '') !== '');
  const configured = isScraped
    ? withProxyEnv(pod, { ISTIO_PROMETHEUS_ANNOTATIONS: goJsonText(config) }, options)
    : pod;
  const replaced = [TARGETS, ...prometheusKeys(annotations)];
  return {
    pod: withMetadata(configured, 'annotations', {
      ...Object.fromEntries(replaced.map((key) => [key, undefined])),
      'prometheus.io/port': statusPort,
      'prometheus.io/path': '/stats/prometheus',
      'prometheus.io/scrape': 'true',
    }),
  };
}

type Target = { readonly port: string; readonly path: string };

/** Reads `port:path,...`. */
function scrapeTargets(
  text: string,
  statusPort: string,
): { readonly list: readonly Target[] } | { readonly refused: string } {
  const list: Target[] = [];
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, port = '', path = ''] = /^([^:]*):?(.*)$/s.exec(part) ?? [];
    const number = /^\d+$/.test(port.trim()) ? Number(port) : 0;
    if (number < 1 || number > 65535) return refused(part, 'has an invalid port');
    if (RESERVED.has(number) || String(number) === statusPort)
      return refused(part, 'uses a port of the proxy');
    list.push({ port: String(number), path: path.trim() || '/metrics' });
  }
  return { list };
}

function refused(part: string, problem: string): { readonly refused: string } {
  return { refused: `Cannot read annotation "${TARGETS}": "${shortened(part)}" ${problem}` };
}
