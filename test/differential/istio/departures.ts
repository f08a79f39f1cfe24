import { isJsonArray, isJsonObject, type JsonObject, tryParseJson } from '../../../src/sdk/index.ts';

/** A difference that docs/injectors/istio.md documents. */
interface Departure {
  readonly reason: string;
  readonly applies: (line: string, pod: JsonObject) => boolean;
}

const PROBE = /(Probe|preStop|postStart)\/|ISTIO_KUBE_APP_PROBERS/;

const DEPARTURES: readonly Departure[] = [
  {
    reason: 'the status records the containers, if a second call would see them in another order',
    applies: (line) => line.startsWith('/metadata/annotations/sidecar.istio.io/status#/podgraft.dev/before'),
  },
  {
    reason:
      "a forged status that names the application's container does not hide it from templates, nor its ports from the proxy",
    applies: (_, pod) => hasForgedStatus(pod),
  },
  {
    reason: 'a Pod with a status was injected before: its records are kept',
    applies: (_, pod) => annotation(pod, 'sidecar.istio.io/status') !== undefined,
  },
  {
    reason:
      'overrides without a status were written by someone else: what templates see is recorded for the next call',
    applies: (_, pod) => annotation(pod, 'proxy.istio.io/overrides') !== undefined,
  },
  {
    reason: 'a probe of an undeclared named port is not rewritten',
    applies: (line, pod) => PROBE.test(line) && hasUndeclaredPort(pod),
  },
  {
    reason: 'probes are not sent to port 0',
    applies: (line, pod) =>
      PROBE.test(line) && /^(0|\s.*|.*\s)$/.test(String(annotation(pod, 'status.sidecar.istio.io/port'))),
  },
];

/** All reasons, in alphabetical order. */
export const REASONS: readonly string[] = DEPARTURES.map(({ reason }) => reason).toSorted();

/** The reason of a difference; undefined if it is not documented. */
export function departure(line: string, pod: JsonObject): string | undefined {
  return DEPARTURES.find(({ applies }) => applies(line, pod))?.reason;
}

function annotation(pod: JsonObject, name: string): unknown {
  const { annotations } = pod.metadata as { annotations?: JsonObject };
  return annotations?.[name];
}

/** Whether the status lists a container of the application as injected. */
function hasForgedStatus(pod: JsonObject): boolean {
  const status = tryParseJson(String(annotation(pod, 'sidecar.istio.io/status')));
  const names = isJsonObject(status) && isJsonArray(status.containers) ? status.containers : [];
  const { containers = [] } = pod.spec as { containers?: readonly JsonObject[] };
  return containers.some(({ name = '' }) => name !== 'istio-proxy' && names.includes(name));
}

function hasUndeclaredPort(pod: JsonObject): boolean {
  const { containers = [], initContainers = [] } = pod.spec as {
    containers?: readonly JsonObject[];
    initContainers?: readonly JsonObject[];
  };
  return [...containers, ...initContainers].some((container) => {
    const ports = isJsonArray(container.ports) ? container.ports.filter(isJsonObject) : [];
    const used = JSON.stringify(container).includes('"port":"http"');
    return used && !ports.some(({ name }) => name === 'http');
  });
}
