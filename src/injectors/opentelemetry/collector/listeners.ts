import { isJsonObject, type Json, type JsonObject } from '../../../sdk/index.ts';

/** An endpoint on which a component of the collector listens. */
export interface Listener {
  /** Where the component's settings have the endpoint. */
  readonly path: readonly string[];
  /** Follows the component's name in the name of the port. */
  readonly suffix?: string;
  /** The default; undefined if the endpoint has to be set. */
  readonly port?: number;
  readonly protocol?: 'TCP' | 'UDP';
}

type Listeners = (settings: JsonObject) => readonly Listener[];

/** Where each type of component listens, with the operator's default ports. */
export type Registry = ReadonlyMap<string, Listeners>;

/** Receivers with an endpoint for each protocol that their settings list. */
export const PROTOCOL_RECEIVERS: ReadonlySet<string> = new Set(['otlp', 'skywalking', 'jaeger', 'loki']);

export const RECEIVERS: Registry = new Map([
  protocols('otlp', { grpc: { port: 4317 }, http: { port: 4318 } }),
  protocols('skywalking', { grpc: { port: 11800 }, http: { port: 12800 } }),
  protocols('jaeger', {
    grpc: { port: 14250 },
    thrift_http: { port: 14268 },
    thrift_compact: { port: 6831, protocol: 'UDP' },
    thrift_binary: { port: 6832, protocol: 'UDP' },
  }),
  protocols('loki', { grpc: { port: 9095 }, http: { port: 3100 } }),
  one('awsxray', { port: 2000, protocol: 'UDP' }),
  one('carbon', { port: 2003 }),
  one('collectd', { port: 8081 }),
  one('fluent_forward', { port: 8006 }),
  one('fluentforward', { port: 8006 }),
  one('influxdb', { port: 8086 }),
  one('sapm', { port: 7276 }),
  one('signalfx', { port: 9943 }),
  one('splunk_hec', { port: 8088 }),
  one('statsd', { port: 8125, protocol: 'UDP' }),
  one('udp_log', { protocol: 'UDP' }),
  one('udplog', { protocol: 'UDP' }),
  one('wavefront', { port: 2003 }),
  one('zipkin', { port: 9411 }),
  ['syslog', ({ tcp }) => [tcp ? { path: ['tcp'] } : { path: ['udp'], protocol: 'UDP' }]],
  // These connect to an endpoint, or read from elsewhere.
  ...[
    'aerospike',
    'chrony',
    'cloud_foundry',
    'cloudfoundry',
    'couchdb',
    'docker_stats',
    'filelog',
    'flink_metrics',
    'flinkmetrics',
    'googlecloudpubsub',
    'haproxy',
    'http_check',
    'httpcheck',
    'jmx',
    'k8s_cluster',
    'k8s_events',
    'k8s_objects',
    'k8sobjects',
    'kubelet_stats',
    'kubeletstats',
    'memcached',
    'mysql',
    'nginx',
    'nsxt',
    'oracledb',
    'podman_stats',
    'postgresql',
    'prometheus',
    'prometheus_simple',
    'pulsar',
    'purefb',
    'rabbitmq',
    'redis',
    'riak',
    'saphana',
    'snmp',
    'ssh_check',
    'sshcheck',
    'vcenter',
    'zookeeper',
  ].map((type): Entry => [type, () => []]),
]);

export const EXPORTERS: Registry = new Map([one('prometheus', { port: 8888 })]);

export const EXTENSIONS: Registry = new Map([
  one('health_check', { port: 13133 }),
  one('healthcheckv2', { port: 13133 }, ['http']),
  one('jaeger_query', { port: 16686 }, ['http']),
]);

type Entry = [string, Listeners];

function one(type: string, listener: Omit<Listener, 'path'>, path: readonly string[] = []): Entry {
  return [type, () => [{ ...listener, path }]];
}

function protocols(type: string, known: Readonly<Record<string, Omit<Listener, 'path'>>>): Entry {
  return [
    type,
    (settings) =>
      Object.keys(record(settings.protocols))
        .filter((name) => Object.hasOwn(known, name))
        .map((name) => ({ ...known[name], path: ['protocols', name], suffix: `-${name}` })),
  ];
}

/** A map of the configuration; empty if it is absent or null. */
export function record(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
