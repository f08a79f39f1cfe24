import { isJsonObject, type Json, type JsonObject, shortened } from '../../../sdk/index.ts';
import { asObject } from '../pod-json.ts';
import { isHostPort } from './addresses.ts';

/** All values of a ProxyConfig that have the right type and are invalid, each with the path of its field. */
export function limitProblems(config: JsonObject): readonly string[] {
  return [
    ...Object.entries(LIMITS).flatMap(([path, check]) => {
      const value = valueAt(config, path.split('.'));
      const problem = value === undefined ? undefined : check(value);
      return problem === undefined ? [] : [`${path}: ${problem}`];
    }),
    ...tlsProblems(asObject(asObject(config.tracing).tlsSettings)),
    ...keyProblems(config.privateKeyProvider),
  ];
}

type Check = (value: string) => string | undefined;

/** A missing field of a nested message counts as empty, one of the ProxyConfig itself is not checked. */
function valueAt(config: JsonObject, path: readonly string[]): string | undefined {
  const parents = path.slice(0, -1);
  let parent = config;
  for (const key of parents) {
    if (!isJsonObject(parent[key])) return undefined;
    parent = parent[key];
  }
  const value = parent[path.at(-1) ?? ''] ?? (parents.length === 0 ? undefined : '');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const LIMITS: Readonly<Record<string, Check>> = {
  configPath: nonEmpty,
  binaryPath: nonEmpty,
  serviceCluster: nonEmpty,
  drainDuration: wholeSeconds,
  discoveryAddress: address,
  statsdUdpAddress: optional(address),
  envoyMetricsServiceAddress: optional(address),
  'envoyMetricsService.address': optional(address),
  'envoyAccessLogService.address': optional(address),
  'tracing.zipkin.address': addressOnHost,
  'tracing.datadog.address': addressOnHost,
  'tracing.lightstep.address': address,
  'tracing.lightstep.accessToken': nonEmpty,
  proxyAdminPort: port,
  statusPort: port,
  'connectionSettings.listenerPerConnectionBufferLimitBytes': atLeast(0),
  'connectionSettings.clusterPerConnectionBufferLimitBytes': atLeast(0),
  'connectionSettings.httpMaxConcurrentStreams': atLeast(1),
  'connectionSettings.http2InitialStreamWindowSize': atLeast(65_535),
  'connectionSettings.http2InitialConnectionWindowSize': atLeast(65_535),
  'connectionSettings.listenerConnectionLimit': atLeast(1),
  'connectionSettings.globalDownstreamConnectionLimit': atLeast(1),
  controlPlaneAuthPolicy: (value) => (value === 'INHERIT' ? 'INHERIT is not allowed' : undefined),
};

function atLeast(least: number): Check {
  return optional((value) => (Number(value) < least ? `${value} is less than ${least}` : undefined));
}

function nonEmpty(value: string): string | undefined {
  return value === '' ? 'must not be empty' : undefined;
}

function optional(check: Check): Check {
  return (value) => (value === '' ? undefined : check(value));
}

function address(value: string): string | undefined {
  return isHostPort(value) ? undefined : `"${shortened(value)}" is not a host with a port`;
}

/** The kubelet replaces `$(HOST_IP)`. */
function addressOnHost(value: string): string | undefined {
  return address(value.replace('$(HOST_IP)', '127.0.0.1'));
}

function port(value: string): string | undefined {
  const number = Number(value);
  return number < 1 || number > 65535 ? `${value} is not a port` : undefined;
}

function wholeSeconds(value: string): string | undefined {
  const seconds = Number.parseFloat(value);
  if (seconds < 1) return `${value} is less than 1s`;
  return seconds % 1 > 0 ? `${value} is not a whole number of seconds` : undefined;
}

function tlsProblems(tls: JsonObject): readonly string[] {
  const isSet = (field: string) => (tls[field] ?? '') !== '';
  const isMutual = tls.mode === 'MUTUAL';
  const isChecked = isMutual || tls.mode === 'SIMPLE';
  const problems: string[] = [];
  const exclude = (fields: readonly string[], other: string) => {
    const found = fields.filter(isSet);
    if (found.length > 0) problems.push(`${found.join(' and ')} cannot be combined with ${other}`);
  };
  if (isChecked && tls.insecureSkipVerify === true) {
    const fields = ['caCertificates', 'subjectAltNames', ...(isMutual ? [] : ['credentialName'])];
    exclude(fields, 'insecureSkipVerify');
  }
  if (isChecked && isSet('credentialName')) {
    exclude(['clientCertificate', 'privateKey', 'caCertificates', 'caCrl'], 'credentialName');
  } else if (isMutual) {
    for (const field of ['clientCertificate', 'privateKey'])
      if (!isSet(field)) problems.push(`MUTUAL needs ${field}`);
  }
  return problems.map((problem) => `tracing.tlsSettings: ${problem}`);
}

function keyProblems(provider: Json | undefined): readonly string[] {
  if (!isJsonObject(provider)) return [];
  const delays = [provider.cryptomb, provider.qat].filter(isJsonObject).map(({ pollDelay }) => pollDelay);
  const isDelay = (delay: Json | undefined) => typeof delay === 'string' && Number.parseFloat(delay) !== 0;
  return delays.length > 0 && delays.every(isDelay)
    ? []
    : ['privateKeyProvider: needs cryptomb or qat with a pollDelay other than 0s'];
}
