import { parsedJson } from '../../json/parsed-json.ts';
import { isQuantity } from '../../kube/quantity.ts';
import { isCidr } from './cidr.ts';
import { isOverrides } from './memory.ts';
import { INTERCEPTION_MODE, OVERRIDES, PROXY_CONFIG, STATUS_PORT } from './names.ts';
import { isBoolean } from './prometheus.ts';
import { readProxyConfig } from './proxy-config-annotation.ts';

type Check = (value: string) => string | undefined;

/** What is wrong with the annotations of a Pod: all of it, each with the annotation's name. */
export function annotationProblems(annotations: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(annotations).flatMap((name) => {
    const value: unknown = annotations[name];
    // In a file it may have been written without quotes; the API server takes no such Pod.
    if (typeof value !== 'string')
      return [`Cannot read annotation "${name}": expected a string, found a ${typeof value}`];
    const problem = Object.hasOwn(CHECKS, name) ? CHECKS[name]?.(value) : undefined;
    return problem === undefined
      ? []
      : [`Cannot read annotation "${name}" with value "${value}": ${problem}`];
  });
}

/** Read by templates alone. What fails there tells the line, not which text was to blame. */
const JSON_TEXTS = [
  'sidecar.istio.io/userVolume',
  'sidecar.istio.io/userVolumeMount',
  'apm.datadoghq.com/env',
] as const;

/** The annotations that should be JSON and are not, as the end of a message; empty where there are none. */
export function blamedTexts(annotations: Readonly<Record<string, string>>): string {
  const blamed = JSON_TEXTS.filter(
    (name) => name in annotations && parsedJson(annotations[name] ?? '') === undefined,
  );
  return blamed.map((name) => `; annotation "${name}" is no JSON`).join('');
}

const CHECKS: Readonly<Record<string, Check>> = {
  [INTERCEPTION_MODE]: (value) =>
    ['REDIRECT', 'TPROXY', 'NONE'].includes(value)
      ? undefined
      : 'interceptionMode is REDIRECT, TPROXY or NONE',
  [STATUS_PORT]: port,
  'readiness.status.sidecar.istio.io/initialDelaySeconds': seconds,
  'readiness.status.sidecar.istio.io/periodSeconds': seconds,
  'readiness.status.sidecar.istio.io/failureThreshold': seconds,
  'traffic.sidecar.istio.io/includeOutboundIPRanges': (value) =>
    value === '*' ? undefined : cidrs('includeIPRanges', value),
  'traffic.sidecar.istio.io/excludeOutboundIPRanges': (value) => cidrs('excludeIPRanges', value),
  'traffic.sidecar.istio.io/includeInboundPorts': (value) =>
    value === '*' ? undefined : ports('includeInboundPorts', value),
  'traffic.sidecar.istio.io/excludeInboundPorts': (value) => ports('excludeInboundPorts', value),
  'traffic.sidecar.istio.io/excludeOutboundPorts': (value) => ports('excludeOutboundPorts', value),
  'traffic.sidecar.istio.io/excludeInterfaces': interfaces,
  'traffic.sidecar.istio.io/kubevirtInterfaces': interfaces,
  'istio.io/reroute-virtual-interfaces': interfaces,
  'prometheus.istio.io/merge-metrics': (value) => (isBoolean(value) ? undefined : 'neither true nor false'),
  [PROXY_CONFIG]: (value) => readProxyConfig(value).problems.join(', ') || undefined,
  [OVERRIDES]: (value) => (isOverrides(value) ? undefined : 'no lists of containers in JSON'),
  'sidecar.istio.io/proxyCPU': quantity,
  'sidecar.istio.io/proxyMemory': quantity,
  'sidecar.istio.io/proxyCPULimit': quantity,
  'sidecar.istio.io/proxyMemoryLimit': quantity,
};

function port(value: string): string | undefined {
  return inRange(value.trim(), 65535) ? undefined : `"${value}" is no port`;
}

function seconds(value: string): string | undefined {
  return inRange(value, 2 ** 32 - 1) ? undefined : 'not a whole number';
}

function inRange(value: string, highest: number): boolean {
  return /^\d{1,10}$/.test(value) && Number(value) <= highest;
}

function cidrs(what: string, value: string): string | undefined {
  const bad = value === '' ? undefined : value.split(',').find((each) => !isCidr(each));
  return bad === undefined ? undefined : `${what}: "${bad}" is no range of addresses such as 10.0.0.0/8`;
}

function ports(what: string, value: string): string | undefined {
  const bad = value.trim() === '' ? undefined : value.split(',').find((each) => port(each) !== undefined);
  return bad === undefined ? undefined : `${what}: "${bad}" is no port`;
}

/** Linux: at most 15 characters, none of them a slash or a space. */
function interfaces(value: string): string | undefined {
  const bad = value
    .split(',')
    .map((each) => each.trim())
    .find((each) => each !== '' && !/^[A-Za-z0-9._@+*-]{1,15}$/.test(each));
  return bad === undefined ? undefined : `"${bad}" is no name of an interface`;
}

function quantity(value: string): string | undefined {
  return isQuantity(value) ? undefined : 'not a quantity such as 100m or 128Mi';
}
