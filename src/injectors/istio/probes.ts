import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { withoutMember } from '../../json/member.ts';
import { parsedJson } from '../../json/parsed-json.ts';
import { goJson, goJsonText } from './go-type.ts';
import { PROXY, REWRITE_PROBES, STATUS_PORT } from './names.ts';
import { envOf, mapContainers, object, textsOf } from './pod-json.ts';
import { actions } from './pod-types.ts';
import { isBoolean, isFalse } from './prometheus.ts';
import { proxyOf, withProxyEnv } from './proxy-env.ts';

const PROBERS = 'ISTIO_KUBE_APP_PROBERS';

export interface ProbeOptions {
  /** `sidecarInjectorWebhook.rewriteAppHTTPProbe` of Istio's values. */
  readonly rewrite: boolean;
  readonly statusPort: string;
  readonly keepUnknownPorts: boolean;
  readonly again: boolean;
}

/**
 * Has the agent ask the application for the kubelet, which has no certificate of the mesh: probes and lifecycle hooks
 * go to the agent, and where they went is told to it by env.
 */
export function rewriteProbes(
  pod: JsonObject,
  options: ProbeOptions,
): { readonly pod: JsonObject; readonly warnings: readonly string[] } {
  const annotations = textsOf(pod, 'annotations');
  const word = annotations[REWRITE_PROBES];
  const wanted = word !== undefined && isBoolean(word) ? !isFalse(word) : options.rewrite;
  const proxy = proxyOf(pod);
  if (!wanted || proxy === undefined) return { pod, warnings: [] };

  const port = Number(annotations[STATUS_PORT] ?? options.statusPort);
  // Without a port the agent answers nobody: a probe sent there would make the Pod invalid.
  if (port === 0) return { pod, warnings: [`${STATUS_PORT} is 0: probes are not sent through the proxy`] };
  const warnings: string[] = [];
  const probers = new Map<string, Json>();
  const rewritten = mapContainers(pod, (container) => {
    if (container.name === PROXY) return container;
    let next = container;
    for (const place of PLACES) {
      const handler = place.read(next);
      const kind =
        handler === undefined ? undefined : place.kinds.find((each) => isJsonObject(handler[each]));
      if (handler === undefined || kind === undefined) continue;
      const action = resolved(object(handler[kind]), container);
      const path = `/${place.url(String(container.name))}`;
      if (action === undefined && options.keepUnknownPorts) {
        warnings.push(unknownPort(container, place.name, object(handler[kind]).port));
        continue;
      }
      if (action !== undefined && action.port !== port) probers.set(path, prober(kind, action, handler));
      next = place.write(next, toAgent(handler, kind, path, port));
    }
    return next;
  });
  return { pod: withProbers(rewritten, proxy, probers, options), warnings };
}

type Kind = keyof typeof actions;

interface Place {
  readonly name: string;
  readonly kinds: readonly Kind[];
  readonly url: (container: string) => string;
  readonly read: (container: JsonObject) => JsonObject | undefined;
  readonly write: (container: JsonObject, handler: JsonObject) => JsonObject;
}

const PLACES: readonly Place[] = [
  probePlace('readinessProbe', 'readyz'),
  probePlace('livenessProbe', 'livez'),
  probePlace('startupProbe', 'startupz'),
  hookPlace('preStop', 'prestopz'),
  hookPlace('postStart', 'poststartz'),
];

function probePlace(field: string, suffix: string): Place {
  return {
    name: field,
    kinds: ['httpGet', 'tcpSocket', 'grpc'],
    url: (container) => `app-health/${container}/${suffix}`,
    read: (container) => (isJsonObject(container[field]) ? container[field] : undefined),
    write: (container, handler) =>
      container[field] === handler ? container : { ...container, [field]: handler },
  };
}

function hookPlace(field: string, suffix: string): Place {
  const hook = (container: JsonObject) => object(container.lifecycle)[field];
  return {
    name: `lifecycle.${field}`,
    kinds: ['httpGet', 'tcpSocket'],
    url: (container) => `app-lifecycle/${container}/${suffix}`,
    read: (container) => (isJsonObject(hook(container)) ? (hook(container) as JsonObject) : undefined),
    write: (container, handler) =>
      hook(container) === handler
        ? container
        : { ...container, lifecycle: { ...object(container.lifecycle), [field]: handler } },
  };
}

/** The action with its port as a number; undefined where the container declares no port of that name. */
function resolved(action: JsonObject, container: JsonObject): JsonObject | undefined {
  const { port } = action;
  if (typeof port !== 'string') return action;
  if (/^\d+$/.test(port)) return { ...action, port: Number(port) };
  const ports = isJsonArray(container.ports) ? container.ports.filter(isJsonObject) : [];
  const declared = ports.find(({ name }) => name === port)?.containerPort;
  return typeof declared === 'number' ? { ...action, port: declared } : undefined;
}

/** As Go writes it, which is the env's text. */
function prober(kind: Kind, action: JsonObject, handler: JsonObject): Json {
  const written = goJson(action, actions[kind]);
  const { timeoutSeconds } = handler;
  return typeof timeoutSeconds === 'number' && timeoutSeconds !== 0
    ? { [kind]: written, timeoutSeconds }
    : { [kind]: written };
}

function toAgent(handler: JsonObject, kind: Kind, path: string, port: number): JsonObject {
  if (kind !== 'httpGet') return { ...withoutMember(handler, kind), httpGet: { path, port } };
  const found = object(handler.httpGet);
  const { scheme } = found;
  const others = ['tcpSocket', 'grpc'].some((each) => isJsonObject(handler[each]));
  if (found.path === path && found.port === port && scheme !== 'HTTPS' && !others) return handler;
  const rest = withoutMember(withoutMember(handler, 'tcpSocket'), 'grpc');
  return { ...rest, httpGet: { ...found, path, port, ...(scheme === 'HTTPS' && { scheme: 'HTTP' }) } };
}

/** What an earlier injection told the agent stays: by now the probes point to the agent itself. */
function withProbers(
  pod: JsonObject,
  proxy: JsonObject,
  probers: ReadonlyMap<string, Json>,
  { again }: ProbeOptions,
): JsonObject {
  const old = again ? envOf(proxy).find(({ name }) => name === PROBERS)?.value : undefined;
  const merged = { ...Object.fromEntries(probers), ...parsed(old) };
  const keys = Object.keys(merged).sort();
  if (keys.length === 0) return pod;
  const text = goJsonText(Object.fromEntries(keys.map((key) => [key, merged[key] as Json])));
  return withProxyEnv(pod, { [PROBERS]: text }, { again });
}

function parsed(text: Json | undefined): JsonObject {
  return object(typeof text === 'string' ? parsedJson(text) : undefined);
}

function unknownPort(container: JsonObject, place: string, port: Json | undefined): string {
  const named = `${place} of container "${String(container.name)}"`;
  return `${named} asks for port "${String(port)}", which the container does not declare: it is not sent through the proxy`;
}
