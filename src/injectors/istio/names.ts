/** Istio's names of annotations, labels, containers and environment variables. */
export const INJECT = 'sidecar.istio.io/inject';
export const STATUS = 'sidecar.istio.io/status';
export const OVERRIDES = 'proxy.istio.io/overrides';
export const PROXY_CONFIG = 'proxy.istio.io/config';
export const TEMPLATES = 'inject.istio.io/templates';
export const NATIVE_SIDECAR = 'sidecar.istio.io/nativeSidecar';
export const REVISION_LABEL = 'istio.io/rev';
export const INJECTION_LABEL = 'istio-injection';
export const NETWORK_LABEL = 'topology.istio.io/network';
export const INTERCEPTION_MODE = 'sidecar.istio.io/interceptionMode';
export const STATUS_PORT = 'status.sidecar.istio.io/port';
export const PROXY_IMAGE_TYPE = 'sidecar.istio.io/proxyImageType';
export const REWRITE_PROBES = 'sidecar.istio.io/rewriteAppHTTPProbers';

export const PROXY = 'istio-proxy';
export const INIT = 'istio-init';
export const VALIDATION = 'istio-validation';
export const CORE_DUMP = 'enable-core-dump';

export const SYSTEM_NAMESPACES = [
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'local-path-storage',
] as const;
