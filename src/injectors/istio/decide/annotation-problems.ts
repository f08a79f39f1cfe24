import { firstMessages, isJsonObject, isQuantity, shortened, tryParseJson } from '../../../sdk/index.ts';
import { isCidr } from '../config/addresses.ts';
import { readProxyConfig } from '../config/proxy-config-annotation.ts';
import { recordedOverrides } from '../merge/previous-injection.ts';
import { INTERCEPTION_MODE, OVERRIDES, PROXY_CONFIG, STATUS_PORT } from '../names.ts';
import { parseBool } from '../pod-json.ts';
import { containersProblem } from '../render/read-document.ts';

type Annotations = Readonly<Record<string, string>>;
type Check = (value: string, annotations: Annotations) => string | undefined;

/** All invalid annotations of a Pod, each by its name. */
export function annotationProblems(annotations: Annotations): readonly string[] {
  const problems: string[] = [];
  for (const name of Object.keys(annotations)) {
    const value: unknown = annotations[name];
    if (typeof value !== 'string') {
      // Possible in files, where quotes are easily forgotten. The API server rejects such Pods.
      problems.push(
        `Cannot read annotation "${shortened(name)}": expected a string, found a ${typeof value}`,
      );
      continue;
    }
    const problem = CHECKS.get(name)?.(value, annotations);
    if (problem !== undefined)
      problems.push(`Cannot read annotation "${name}" with value "${shortened(value)}": ${problem}`);
  }
  return problems;
}

/** Parsed only by templates, whose errors name the line but not the annotation. */
const JSON_ANNOTATIONS = [
  'sidecar.istio.io/userVolume',
  'sidecar.istio.io/userVolumeMount',
  'apm.datadoghq.com/env',
] as const;

/** Names annotations with invalid JSON, as the end of a message; empty if there are none. */
export function invalidJsonNote(annotations: Readonly<Record<string, string>>): string {
  return JSON_ANNOTATIONS.filter(
    (name) => name in annotations && tryParseJson(annotations[name] ?? '') === undefined,
  )
    .map((name) => `; annotation "${name}" is not valid JSON`)
    .join('');
}

const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    [INTERCEPTION_MODE]: (value) =>
      ['REDIRECT', 'TPROXY', 'NONE'].includes(value) ? undefined : 'expected REDIRECT, TPROXY or NONE',
    [STATUS_PORT]: port,
    'readiness.status.sidecar.istio.io/initialDelaySeconds': wholeNumber,
    'readiness.status.sidecar.istio.io/periodSeconds': wholeNumber,
    'readiness.status.sidecar.istio.io/failureThreshold': wholeNumber,
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
    'prometheus.istio.io/merge-metrics': (value) =>
      parseBool(value) === undefined ? 'expected true or false' : undefined,
    [PROXY_CONFIG]: (value) => firstMessages(readProxyConfig(value).problems).join(', ') || undefined,
    [OVERRIDES]: overrides,
    'sidecar.istio.io/proxyCPU': quantity,
    'sidecar.istio.io/proxyMemory': quantity,
    'sidecar.istio.io/proxyCPULimit': quantity,
    'sidecar.istio.io/proxyMemoryLimit': quantity,
  } satisfies Record<string, Check>),
);

function port(value: string): string | undefined {
  return isNumber(value.trim(), 65535) ? undefined : `"${shortened(value)}" is not a port`;
}

function wholeNumber(value: string): string | undefined {
  return isNumber(value, 2 ** 32 - 1) ? undefined : 'not a whole number';
}

function isNumber(value: string, highest: number): boolean {
  return /^\d{1,10}$/.test(value) && Number(value) <= highest;
}

function cidrs(field: string, value: string): string | undefined {
  const invalid = value === '' ? undefined : value.split(',').find((each) => !isCidr(each));
  return invalid === undefined
    ? undefined
    : `${field}: "${shortened(invalid)}" is not an address range such as 10.0.0.0/8`;
}

function ports(field: string, value: string): string | undefined {
  const invalid = value.trim() === '' ? undefined : value.split(',').find((each) => port(each) !== undefined);
  return invalid === undefined ? undefined : `${field}: "${shortened(invalid)}" is not a port`;
}

/** Linux allows at most 15 characters. Istio allows fewer of them, since the names become arguments of iptables. */
function interfaces(value: string): string | undefined {
  const names = value === '' ? [] : value.split(',').map((each) => each.trim());
  const invalid = names.find((name) => !/^[A-Za-z][A-Za-z0-9_.-]{0,14}$/.test(name));
  return invalid === undefined ? undefined : `"${shortened(invalid)}" is not an interface name`;
}

/** An earlier injection wrote it, see `previousInjection`. */
function overrides(_: string, annotations: Annotations): string | undefined {
  const found = recordedOverrides(annotations);
  if (!isJsonObject(found)) return 'expected lists of containers in JSON';
  return containersProblem(found);
}

function quantity(value: string): string | undefined {
  return isQuantity(value) ? undefined : 'not a quantity such as 100m or 128Mi';
}
