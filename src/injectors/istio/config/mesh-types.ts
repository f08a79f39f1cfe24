import type { JsonObject } from '../../../sdk/index.ts';
import { protoType } from './proto.ts';

export const proxyConfigType = protoType('ProxyConfig');
export const meshConfigType = protoType('MeshConfig');

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

/** istiod's defaults for the mesh. */
export const MESH_DEFAULTS: JsonObject = {
  proxyListenPort: 15001,
  proxyInboundListenPort: 15006,
  connectTimeout: '10s',
  protocolDetectionTimeout: '0s',
  ingressClass: 'istio',
  ingressService: 'istio-ingressgateway',
  ingressControllerMode: 'STRICT',
  enableTracing: true,
  trustDomain: 'cluster.local',
  rootNamespace: 'istio-system',
  defaultServiceExportTo: ['*'],
  defaultVirtualServiceExportTo: ['*'],
  defaultDestinationRuleExportTo: ['*'],
  enableAutoMtls: true,
  outboundTrafficPolicy: { mode: 'ALLOW_ANY' },
  inboundTrafficPolicy: { mode: 'PASSTHROUGH' },
  localityLbSetting: { enabled: true },
  dnsRefreshRate: '60s',
  enablePrometheusMerge: true,
  extensionProviders: [
    { name: 'prometheus', prometheus: {} },
    { name: 'stackdriver', stackdriver: {} },
    { name: 'envoy', envoyFileAccessLog: { path: '/dev/stdout' } },
  ],
};
