import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { isHostPort } from './host-port.ts';
import { record } from './proxy-config.ts';

/** What is wrong with values whose types are right, each with the name of its field. */
export function limitProblems(config: JsonObject): readonly string[] {
  return [
    ...Object.entries(LIMITS).flatMap(([path, check]) => {
      const problem = checked(config, path.split('.'), check);
      return problem === undefined ? [] : [`${path}: ${problem}`];
    }),
    ...tlsProblems(record(record(config.tracing).tlsSettings)),
    ...keyProblems(config.privateKeyProvider),
  ];
}

type Check = (value: string) => string | undefined;

/** A field that is not there says nothing; one of a message that is there says that it is empty. */
function checked(config: JsonObject, path: readonly string[], check: Check): string | undefined {
  const parents = path.slice(0, -1);
  const last = path.at(-1) ?? '';
  let parent = config;
  for (const key of parents) {
    if (!isJsonObject(parent[key])) return undefined;
    parent = parent[key];
  }
  const value = parent[last] ?? (parents.length === 0 ? undefined : '');
  return typeof value === 'string' || typeof value === 'number' ? check(String(value)) : undefined;
}

const LIMITS: Readonly<Record<string, Check>> = {
  configPath: filled,
  binaryPath: filled,
  serviceCluster: filled,
  drainDuration: wholeSeconds,
  discoveryAddress: address,
  statsdUdpAddress: optional(address),
  envoyMetricsServiceAddress: optional(address),
  'envoyMetricsService.address': optional(address),
  'envoyAccessLogService.address': optional(address),
  'tracing.zipkin.address': address,
  'tracing.datadog.address': address,
  'tracing.lightstep.address': address,
  'tracing.lightstep.accessToken': filled,
  proxyAdminPort: port,
  statusPort: port,
  controlPlaneAuthPolicy: (value) => (value === 'INHERIT' ? 'INHERIT is for no proxy' : undefined),
  concurrency: (value) => (Number(value) < 0 ? `${value} is negative` : undefined),
  statNameLength: (value) => (Number(value) <= 0 ? `${value} is not positive` : undefined),
};

function filled(value: string): string | undefined {
  return value === '' ? 'must not be empty' : undefined;
}

function optional(check: Check): Check {
  return (value) => (value === '' ? undefined : check(value));
}

/** The kubelet fills in the node's address. */
function address(value: string): string | undefined {
  return isHostPort(value.replace('$(HOST_IP)', '127.0.0.1'))
    ? undefined
    : `"${value}" is no host with a port`;
}

function port(value: string): string | undefined {
  const number = Number(value);
  return number < 1 || number > 65535 ? `${value} is no port` : undefined;
}

/** Of what is no duration at all the type tells. */
function wholeSeconds(value: string): string | undefined {
  const seconds = Number.parseFloat(value);
  if (seconds < 1) return `${value} is less than 1s`;
  return seconds % 1 > 0 ? `${value} is no whole number of seconds` : undefined;
}

function tlsProblems(tls: JsonObject): readonly string[] {
  const has = (field: string) => (tls[field] ?? '') !== '';
  const mutual = tls.mode === 'MUTUAL';
  const said = (...fields: string[]) => fields.filter(has);
  const problems: string[] = [];
  const clash = (fields: readonly string[], other: string) => {
    if (fields.length > 0) problems.push(`${fields.join(' and ')} cannot stand with ${other}`);
  };
  if (tls.insecureSkipVerify === true && (mutual || tls.mode === 'SIMPLE')) {
    clash(
      said('caCertificates', 'subjectAltNames', ...(mutual ? [] : ['credentialName'])),
      'insecureSkipVerify',
    );
  }
  if ((mutual || tls.mode === 'SIMPLE') && has('credentialName')) {
    clash(said('clientCertificate', 'privateKey', 'caCertificates', 'caCrl'), 'credentialName');
  } else if (mutual) {
    for (const field of ['clientCertificate', 'privateKey'])
      if (!has(field)) problems.push(`MUTUAL needs ${field}`);
  }
  return problems.map((problem) => `tracing.tlsSettings: ${problem}`);
}

function keyProblems(provider: Json | undefined): readonly string[] {
  if (!isJsonObject(provider)) return [];
  const delays = [provider.cryptomb, provider.qat].filter(isJsonObject).map(({ pollDelay }) => pollDelay);
  const isDelay = (delay: Json | undefined) => typeof delay === 'string' && Number.parseFloat(delay) !== 0;
  return delays.length > 0 && delays.every(isDelay)
    ? []
    : ['privateKeyProvider: needs cryptomb or qat with a pollDelay that is not 0s'];
}
