import type { JsonObject } from '../../json/json.ts';
import { goJsonText } from './go-type.ts';
import { textsOf, withTexts } from './pod-json.ts';
import { withProxyEnv } from './proxy-env.ts';

export const PROMETHEUS = {
  scrape: 'prometheus.io/scrape',
  port: 'prometheus.io/port',
  path: 'prometheus.io/path',
} as const;

/** No spelling can change it: it has letters only. */
const PREFIX = 'prometheus';

const MERGE = 'prometheus.istio.io/merge-metrics';
const TARGETS = 'prometheus.istio.io/scrape-targets';
/** Ports of the proxy and its agent: nothing of the application's is there. */
const RESERVED = new Set([15000, 15001, 15004, 15006, 15008, 15020, 15021, 15053, 15090].map(String));

type Texts = Readonly<Record<string, string>>;

/** The key under which an annotation is really there: any that Prometheus would take for the same name. */
export function spelled(annotations: Texts, name: string): string | undefined {
  return Object.keys(annotations).find((key) => isSpelling(key, name));
}

function isSpelling(key: string, name: string): boolean {
  if (key === name) return true;
  if (key.length !== name.length || !key.startsWith(PREFIX)) return false;
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_]/g, '_');
  return plain(key) === plain(name);
}

/**
 * Has the agent scrape the application and Prometheus scrape the agent: what the Pod says of scraping goes into the
 * proxy's env, and the Pod points to the agent instead. Returns the reason where that is refused.
 */
export function mergePrometheus(
  pod: JsonObject,
  mesh: JsonObject,
  options: { readonly statusPort: string; readonly again: boolean },
): JsonObject | { readonly refused: string } {
  const { statusPort } = options;
  const annotations = textsOf(pod, 'annotations');
  const keys = Object.keys(annotations).filter((key) => key.startsWith(PREFIX));
  const said = (name: string) => annotations[keys.find((key) => isSpelling(key, name)) ?? ''];
  const [scrape, port, path] = [said(PROMETHEUS.scrape), said(PROMETHEUS.port), said(PROMETHEUS.path)];
  if (isFalse(scrape) || !merges(annotations[MERGE], mesh) || port === statusPort) return pod;

  const targets = scrapeTargets(annotations[TARGETS] ?? '', statusPort);
  if ('refused' in targets) return targets;
  const anything = [scrape, port, path].some((each) => (each ?? '') !== '') || targets.list.length > 0;
  const [first] = targets.list;
  const config = {
    scrape: scrape ?? '',
    path: path ?? first?.path ?? '',
    port: port ?? first?.port ?? '',
    ...(targets.list.length > 0 && { targets: targets.list }),
  };
  const told = anything
    ? withProxyEnv(pod, { ISTIO_PROMETHEUS_ANNOTATIONS: goJsonText(config) }, options)
    : pod;
  const dropped = keys.filter((key) =>
    Object.values(PROMETHEUS).some((name) => name !== key && isSpelling(key, name)),
  );
  return withTexts(told, 'annotations', {
    ...Object.fromEntries(dropped.map((key) => [key, undefined])),
    [TARGETS]: undefined,
    [PROMETHEUS.port]: statusPort,
    [PROMETHEUS.path]: '/stats/prometheus',
    [PROMETHEUS.scrape]: 'true',
  });
}

function merges(annotation: string | undefined, mesh: JsonObject): boolean {
  if (annotation !== undefined && isBoolean(annotation)) return !isFalse(annotation);
  return mesh.enablePrometheusMerge !== false;
}

type Target = { readonly port: string; readonly path: string };

/** `port:path,...` */
function scrapeTargets(
  text: string,
  statusPort: string,
): { readonly list: Target[] } | { readonly refused: string } {
  const list: Target[] = [];
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const at = part.indexOf(':');
    const port = (at < 0 ? part : part.slice(0, at)).trim();
    const path = at < 0 ? '' : part.slice(at + 1).trim();
    const number = /^\d+$/.test(port) ? Number(port) : 0;
    if (number < 1 || number > 65535) return refused(part, 'no port');
    if (RESERVED.has(String(number)) || String(number) === statusPort)
      return refused(part, "a port of the proxy's own");
    list.push({ port: String(number), path: path === '' ? '/metrics' : path });
  }
  return { list };
}

function refused(part: string, what: string): { readonly refused: string } {
  return { refused: `Cannot read annotation "${TARGETS}": "${part}" names ${what}` };
}

/** Go's strconv.ParseBool. */
export function isBoolean(text: string): boolean {
  return /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(text);
}

export function isFalse(text: string | undefined): boolean {
  return text !== undefined && /^(0|f|F|FALSE|false|False)$/.test(text);
}
