import { isJsonArray, isJsonObject, type JsonObject, tryParseJson } from '../../../src/sdk/index.ts';

/** A difference that docs/injectors/istio.md documents. */
interface Departure {
  readonly reason: string;
  /** Also of Pods that work with istiod, or that a template of the installation breaks. */
  readonly isOrdinary?: true;
  /** Of Pods that do not work with istiod. */
  readonly isBroken?: true;
  /** `injected` is istiod's result. */
  readonly applies: (line: string, pod: JsonObject, injected: JsonObject) => boolean;
}

const PROBE = /(Probe|preStop|postStart)\/|ISTIO_KUBE_APP_PROBERS/;

/** What a second `istio-proxy` changes. */
const PATCHED =
  /^\/spec\/(initC|c)ontainers\/|^\/metadata\/annotations\/(proxy\.istio\.io\/overrides|sidecar\.istio\.io\/status#\/containers)/;

const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

const DEPARTURES: readonly Departure[] = [
  {
    reason: 'the status records the containers, if a second call would see them in another order',
    isOrdinary: true,
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
    isBroken: true,
    applies: (line, pod) => PROBE.test(line) && hasUndeclaredPort(pod),
  },
  {
    reason: 'probes are not sent to port 0',
    isBroken: true,
    applies: (line, pod) =>
      PROBE.test(line) && /^(0|\s.*|.*\s)$/.test(String(annotation(pod, 'status.sidecar.istio.io/port'))),
  },
  {
    reason: 'a template that patches the proxy among the containers patches the native sidecar',
    isOrdinary: true,
    applies: (line, pod, injected) => PATCHED.test(line) && proxies(pod) < 2 && proxies(injected) === 2,
  },
  {
    reason: 'an interception mode that a second call would refuse is refused at once',
    applies: (line, pod) =>
      line.startsWith('only ours refuses: Cannot read annotation "sidecar.istio.io/interceptionMode"') &&
      String(annotation(pod, 'proxy.istio.io/config')).includes('interceptionMode'),
  },
  {
    reason: 'a network is added to an empty list of networks without a comma',
    isBroken: true,
    applies: (line, pod) =>
      line.startsWith(`/metadata/annotations/${NETWORKS}: `) && annotation(pod, NETWORKS) === '[]',
  },
];

/** All reasons, in alphabetical order. */
export const REASONS: readonly string[] = DEPARTURES.map(({ reason }) => reason).toSorted();

/** Those that ordinary Pods may have. */
export const ORDINARY_REASONS: readonly string[] = DEPARTURES.filter(({ isOrdinary }) => isOrdinary).map(
  ({ reason }) => reason,
);

/** Those of Pods that users write, but that do not work with istiod. */
export const BROKEN_REASONS: readonly string[] = DEPARTURES.filter(({ isBroken }) => isBroken).map(
  ({ reason }) => reason,
);

/** The reason of a difference; undefined if it is not documented. */
export function departure(line: string, pod: JsonObject, injected: JsonObject): string | undefined {
  return DEPARTURES.find(({ applies }) => applies(line, pod, injected))?.reason;
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

/** How many containers are called istio-proxy. */
function proxies(pod: JsonObject): number {
  return containersOf(pod).filter(({ name }) => name === 'istio-proxy').length;
}

function containersOf(pod: JsonObject): readonly JsonObject[] {
  const { containers = [], initContainers = [] } = pod.spec as {
    containers?: readonly JsonObject[];
    initContainers?: readonly JsonObject[];
  };
  return [...containers, ...initContainers];
}

function hasUndeclaredPort(pod: JsonObject): boolean {
  return containersOf(pod).some((container) => {
    const ports = isJsonArray(container.ports) ? container.ports.filter(isJsonObject) : [];
    const used = JSON.stringify(container).includes('"port":"http"');
    return used && !ports.some(({ name }) => name === 'http');
  });
}
