import type { JsonObject } from '../../../sdk/index.ts';
import { protoType } from './proto.ts';

/** Istio's mesh.v1alpha1 messages, as deep as injection reads them. */
const tlsSettings = protoType(
  'networking.ClientTLSSettings',
  `mode:Mode client_certificate:string private_key:string ca_certificates:string credential_name:string
  subject_alt_names:strings sni:string insecure_skip_verify:BoolValue ca_crl:string`,
  { Mode: ['DISABLE', 'SIMPLE', 'MUTUAL', 'ISTIO_MUTUAL'] },
);

const literal = protoType('meshconfig.Literal', 'value:string');
const named = protoType('meshconfig.Environment', 'name:string default_value:string');

const tracing = protoType(
  'meshconfig.Tracing',
  `zipkin@tracer:Address lightstep@tracer:Lightstep datadog@tracer:Address stackdriver@tracer:any
  open_census_agent@tracer:Agent custom_tags:{}Tag max_path_tag_length:uint32 sampling:double tls_settings:TLS
  enable_istio_tags:BoolValue`,
  {
    Address: protoType('meshconfig.Zipkin', 'address:string'),
    Lightstep: protoType('meshconfig.Lightstep', 'address:string access_token:string'),
    Agent: protoType('meshconfig.OpenCensusAgent', 'address:string context:strings'),
    Tag: protoType(
      'meshconfig.CustomTag',
      'literal@type:Literal environment@type:Named header@type:Named formatter@type:Literal',
      { Literal: literal, Named: named },
    ),
    TLS: tlsSettings,
  },
);

const topology = protoType(
  'meshconfig.Topology',
  'num_trusted_proxies:uint32 forward_client_cert_details:Details proxy_protocol:any',
  {
    Details: [
      'UNDEFINED',
      'SANITIZE',
      'FORWARD_ONLY',
      'APPEND_FORWARD',
      'SANITIZE_SET',
      'ALWAYS_FORWARD_ONLY',
    ],
  },
);

const keyProvider = protoType('meshconfig.PrivateKeyProvider', 'cryptomb@provider:Delay qat@provider:Delay', {
  Delay: protoType('meshconfig.CryptoMb', 'poll_delay:duration fallback:BoolValue'),
});

const remoteService = protoType(
  'meshconfig.RemoteService',
  'address:string tls_settings:TLS tcp_keepalive:KeepAlive',
  {
    TLS: tlsSettings,
    KeepAlive: protoType('networking.TcpKeepalive', 'probes:uint32 time:duration interval:duration'),
  },
);

export const proxyConfigType = protoType(
  'meshconfig.ProxyConfig',
  `config_path:string binary_path:string service_cluster@cluster_name:string tracing_service_name@cluster_name:ServiceName
  drain_duration:duration parent_shutdown_duration:duration discovery_address:string discovery_refresh_delay:duration
  zipkin_address:string statsd_udp_address:string envoy_metrics_service_address:string proxy_admin_port:int32
  availability_zone:string control_plane_auth_policy:Auth custom_config_file:string stat_name_length:int32
  concurrency:Int32Value proxy_bootstrap_template_path:string interception_mode:Mode tracing:Tracing sds:any
  envoy_access_log_service:Remote envoy_metrics_service:Remote proxy_metadata:stringMap runtime_values:stringMap
  status_port:int32 extra_stat_tags:strings gateway_topology:Topology termination_drain_duration:duration mesh_id:string
  readiness_probe:any proxy_stats_matcher:Matcher hold_application_until_proxy_starts:BoolValue
  ca_certificates_pem:strings image:Image private_key_provider:KeyProvider proxy_headers:map file_flush_interval:duration
  file_flush_min_size_kb:uint32 stats_eviction_interval:duration stats_compression:BoolValue`,
  {
    ServiceName: ['APP_LABEL_AND_NAMESPACE', 'CANONICAL_NAME_ONLY', 'CANONICAL_NAME_AND_NAMESPACE'],
    Auth: ['NONE', 'MUTUAL_TLS', 'INHERIT'],
    Mode: ['REDIRECT', 'TPROXY', 'NONE'],
    Tracing: tracing,
    Topology: topology,
    KeyProvider: keyProvider,
    Remote: remoteService,
    Matcher: protoType(
      'meshconfig.ProxyStatsMatcher',
      'inclusion_prefixes:strings inclusion_suffixes:strings inclusion_regexps:strings',
    ),
    Image: protoType('networking.ProxyImage', 'image_type:string'),
  },
);

export const meshConfigType = protoType(
  'meshconfig.MeshConfig',
  `proxy_listen_port:int32 proxy_inbound_listen_port:int32 proxy_http_port:int32 connect_timeout:duration
  tcp_keepalive:any ingress_class:string ingress_service:string ingress_controller_mode:any ingress_selector:string
  enable_tracing:bool access_log_file:string access_log_format:string access_log_encoding:any
  enable_envoy_access_log_service:bool disable_envoy_listener_log:bool default_config:ProxyConfig
  outbound_traffic_policy:any inbound_traffic_policy:Inbound config_sources:any enable_auto_mtls:BoolValue
  trust_domain:string trust_domain_aliases:strings ca_certificates:any default_service_export_to:strings
  default_virtual_service_export_to:strings default_destination_rule_export_to:strings root_namespace:string
  locality_lb_setting:any dns_refresh_rate:duration h2_upgrade_policy:any inbound_cluster_stat_name:string
  outbound_cluster_stat_name:string certificates:any thrift_config:any service_settings:any
  enable_prometheus_merge:BoolValue verify_certificate_at_client:BoolValue ca:any extension_providers:any
  default_providers:any discovery_selectors:any path_normalization:any default_http_retry_policy:any mesh_m_t_l_s:any
  tls_defaults:any protocol_detection_timeout:duration service_scope_configs:any`,
  {
    ProxyConfig: proxyConfigType,
    Inbound: protoType('meshconfig.InboundTrafficPolicy', 'mode:Mode', {
      Mode: ['PASSTHROUGH', 'LOCALHOST'],
    }),
  },
);

/** istiod's defaults for a proxy. */
export const PROXY_DEFAULTS: JsonObject = {
  configPath: './etc/istio/proxy',
  binaryPath: '/usr/local/bin/envoy',
  serviceCluster: 'istio-proxy',
  drainDuration: '45s',
  discoveryAddress: 'istiod.istio-system.svc:15012',
  proxyAdminPort: 15000,
  controlPlaneAuthPolicy: 'MUTUAL_TLS',
  statNameLength: 189,
  statusPort: 15020,
  terminationDrainDuration: '5s',
};

/** istiod's defaults for the mesh that injection depends on. */
export const MESH_DEFAULTS: JsonObject = {
  proxyListenPort: 15001,
  proxyInboundListenPort: 15006,
  trustDomain: 'cluster.local',
  rootNamespace: 'istio-system',
  ingressClass: 'istio',
  enablePrometheusMerge: true,
  enableTracing: true,
  enableAutoMtls: true,
  inboundTrafficPolicy: { mode: 'PASSTHROUGH' },
  extensionProviders: [
    { name: 'prometheus', prometheus: {} },
    { name: 'stackdriver', stackdriver: {} },
    { name: 'envoy', envoyFileAccessLog: { path: '/dev/stdout' } },
  ],
};
