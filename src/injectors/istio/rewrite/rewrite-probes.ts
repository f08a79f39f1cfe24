import {
  firstMessages,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  quoted,
  tryParseJson,
  withoutMember,
} from '../../../sdk/index.ts';
import { PROXY, REWRITE_PROBES, STATUS_PORT } from '../names.ts';
import { asObject, envOf, mapContainers, metadataOf, named, parseBool } from '../pod-json.ts';
import { goJson, goJsonText } from '../pod-types/go-json.ts';
import { proxyOf, withProxyEnv } from './proxy-env.ts';

const PROBERS = 'ISTIO_KUBE_APP_PROBERS';

export interface ProbeOptions {
  /** `sidecarInjectorWebhook.rewriteAppHTTPProbe` of Istio's values. */
  readonly isDefault: boolean;
  readonly statusPort: string;
  readonly keepUnknownPorts: boolean;
  readonly isReinjection: boolean;
}

/**
 * Sends probes and lifecycle hooks to the proxy's agent, since the kubelet has no certificate of the mesh. An environment
 * variable configures where the agent forwards them.
 */
export function rewriteProbes(
  pod: JsonObject,
  options: ProbeOptions,
): { readonly pod: JsonObject; readonly warnings: readonly string[] } {
  const annotations = metadataOf(pod, 'annotations');
  const proxy = proxyOf(pod);
  const isWanted = parseBool(annotations[REWRITE_PROBES]) ?? options.isDefault;
  if (!isWanted || proxy === undefined) return { pod, warnings: [] };
  const meshPort = Number(options.statusPort);
  const port = Number(annotations[STATUS_PORT] ?? meshPort);
  if (port === 0) return { pod, warnings: [`${STATUS_PORT} is 0: probes are not sent through the proxy`] };

  const warnings: string[] = [];
  const probers = new Map<string, Json>();
  const rewritten = mapContainers(pod, (container) => {
    if (container.name === PROXY) return container;
    let next = container;
    for (const place of PLACES) {
      if (container[place.path[0]] === undefined) continue;
      const handler = handlerAt(next, place);
      const kind = place.kinds.find((each) => isJsonObject(handler[each]));
      if (kind === undefined) continue;
      const action = withPortNumber(asObject(handler[kind]), container);
      if (action === undefined && options.keepUnknownPorts) {
        warnings.push(unknownPort(container, place, asObject(handler[kind]).port));
        continue;
      }
      const path = `/${place.url}/${String(container.name)}/${place.suffix}`;
      // Probes at the mesh's port were rewritten before; the agent forwards them by the entries that it has.
      const isForwarded = kind !== 'grpc' && action?.port === meshPort;
      if (action !== undefined && !isForwarded && !isSentToAgent(action, path, port))
        probers.set(path, prober(kind, action, handler));
      next = withHandler(next, place, sentToAgent(handler, kind, path, port));
    }
    return next;
  });
  return { pod: withProbers(rewritten, proxy, probers, options), warnings: firstMessages(warnings) };
}

const STRUCTS = { httpGet: 'HTTPGetAction', tcpSocket: 'TCPSocketAction', grpc: 'GRPCAction' } as const;
type Kind = keyof typeof STRUCTS;

interface Place {
  /** The field of the container, and the field below it for a hook. */
  readonly path: readonly [string] | readonly [string, string];
  readonly kinds: readonly Kind[];
  readonly url: string;
  readonly suffix: string;
}

const PROBE = { kinds: ['httpGet', 'tcpSocket', 'grpc'], url: 'app-health' } as const;
const HOOK = { kinds: ['httpGet', 'tcpSocket'], url: 'app-lifecycle' } as const;
const PLACES: readonly Place[] = [
  { ...PROBE, path: ['readinessProbe'], suffix: 'readyz' },
  { ...PROBE, path: ['livenessProbe'], suffix: 'livez' },
  { ...PROBE, path: ['startupProbe'], suffix: 'startupz' },
  { ...HOOK, path: ['lifecycle', 'preStop'], suffix: 'prestopz' },
  { ...HOOK, path: ['lifecycle', 'postStart'], suffix: 'poststartz' },
];

function handlerAt(container: JsonObject, { path: [field, inner] }: Place): JsonObject {
  const found = asObject(container[field]);
  return inner === undefined ? found : asObject(found[inner]);
}

function withHandler(container: JsonObject, place: Place, handler: JsonObject): JsonObject {
  if (handlerAt(container, place) === handler) return container;
  const [field, inner] = place.path;
  const value = inner === undefined ? handler : { ...asObject(container[field]), [inner]: handler };
  return { ...container, [field]: value };
}

/** The action with the number of its port; undefined if the container does not declare a port of that name. */
function withPortNumber(action: JsonObject, container: JsonObject): JsonObject | undefined {
  const { port } = action;
  if (typeof port !== 'string') return action;
  if (/^\d+$/.test(port)) return { ...action, port: Number(port) };
  const ports = isJsonArray(container.ports) ? container.ports.filter(isJsonObject) : [];
  const declared = named(ports, port)?.containerPort;
  return typeof declared === 'number' ? { ...action, port: declared } : undefined;
}

function isSentToAgent(action: JsonObject, path: string, port: number): boolean {
  return action.path === path && action.port === port;
}

function unknownPort(container: JsonObject, { path }: Place, port: Json | undefined): string {
  const probe = `${path.join('.')} of container ${quoted(container.name)}`;
  return `${probe} uses port ${quoted(port)}, which the container does not declare: it is not sent through the proxy`;
}

function prober(kind: Kind, action: JsonObject, { timeoutSeconds }: JsonObject): Json {
  const written: Record<string, Json> = {};
  written[kind] = goJson(action, STRUCTS[kind]);
  if (typeof timeoutSeconds === 'number' && timeoutSeconds !== 0) written.timeoutSeconds = timeoutSeconds;
  return written;
}

function sentToAgent(handler: JsonObject, kind: Kind, path: string, port: number): JsonObject {
  if (kind !== 'httpGet') return { ...withoutMember(handler, kind), httpGet: { path, port } };
  const found = asObject(handler.httpGet);
  const isHttps = found.scheme === 'HTTPS';
  const hasOthers = isJsonObject(handler.tcpSocket) || isJsonObject(handler.grpc);
  if (found.path === path && found.port === port && !isHttps && !hasOthers) return handler;
  const rest = hasOthers ? withoutMember(withoutMember(handler, 'tcpSocket'), 'grpc') : handler;
  return { ...rest, httpGet: { ...found, path, port, ...(isHttps && { scheme: 'HTTP' }) } };
}

/** Entries of an earlier injection are kept: since then, the probes point to the agent itself. */
function withProbers(
  pod: JsonObject,
  proxy: JsonObject,
  probers: Map<string, Json>,
  { isReinjection }: ProbeOptions,
): JsonObject {
  if (probers.size === 0) return pod;
  const old = isReinjection ? named(envOf(proxy), PROBERS)?.value : undefined;
  const oldProbers = asObject(typeof old === 'string' ? tryParseJson(old) : undefined);
  for (const key of Object.keys(oldProbers)) probers.set(key, oldProbers[key] as Json);
  // Not an object with these keys: JavaScript keeps a hidden class for every key that it has seen.
  const members = [...probers.keys()]
    .sort()
    .map((path) => `${goJsonText(path)}:${goJsonText(probers.get(path) as Json)}`);
  const text = `{${members.join()}}`;
  return withProxyEnv(pod, { [PROBERS]: text }, { isReinjection });
}
