import { isJsonObject, type JsonObject } from '../../../src/json/json.ts';
import type { Random } from '../random.ts';

/** A plausible IstioOperator, and settings of istiod's environment. */
export function randomOperator(random: Random): JsonObject {
  const { chance, pick, below } = random;
  const meshConfig = {
    ...(chance(0.2) && { protocolDetectionTimeout: pick(['100ms', '5s', '0s']) }),
    ...(chance(0.2) && { connectTimeout: pick(['1m', '10s', '2.5s']) }),
    ...(chance(0.1) && { dnsRefreshRate: '5m' }),
    ...(chance(0.2) && { defaultServiceExportTo: [pick(['.', '*', '~'])] }),
    ...(chance(0.2) && { enablePrometheusMerge: chance(0.5) }),
    ...(chance(0.1) && { rootNamespace: pick(['istio-system', 'shop']) }),
    ...(chance(0.1) && { inboundTrafficPolicy: { mode: pick(['LOCALHOST', 'PASSTHROUGH']) } }),
    ...(chance(0.2) && {
      extensionProviders: [
        {
          name: 'otel',
          opentelemetry: {
            service: 'otel.example.com',
            port: 4317,
            ...(chance(0.7) && { serviceAttributeEnrichment: 'OTEL_SEMANTIC_CONVENTIONS' }),
          },
        },
      ],
    }),
    ...(chance(0.7) && { defaultConfig: installable(randomProxyConfig(random)) }),
  };
  const proxy = {
    ...(chance(0.1) && { logLevel: 'debug' }),
    ...(chance(0.1) && { holdApplicationUntilProxyStarts: chance(0.5) }),
    ...(chance(0.1) && { enableCoreDump: true }),
    ...(chance(0.1) && { privileged: true }),
    ...(chance(0.1) && { readinessInitialDelaySeconds: below(5), readinessPeriodSeconds: 1 + below(20) }),
    ...(chance(0.1) && { includeIPRanges: '10.0.0.0/8', excludeOutboundPorts: '9999' }),
    ...(chance(0.1) && { resources: { limits: { cpu: '1e3', memory: '1Gi' }, requests: { cpu: '0.1' } } }),
    ...(chance(0.1) && { tracer: pick(['zipkin', 'datadog']) }),
    ...(chance(0.1) && { startupProbe: { enabled: chance(0.5), failureThreshold: 100 } }),
  };
  const global = {
    ...(chance(0.2) && { network: pick(['net-1', 'net-2']) }),
    ...(chance(0.2) && { multiCluster: { enabled: true, clusterName: 'east' } }),
    ...(chance(0.2) && { variant: pick(['distroless', 'debug']) }),
    ...(chance(0.1) && { imagePullSecrets: ['registry'] }),
    ...(chance(0.1) && { imagePullPolicy: 'IfNotPresent' }),
    ...(chance(0.1) && { logAsJson: true }),
    ...(chance(0.1) && { platform: 'openshift' }),
    proxy,
  };
  return {
    apiVersion: 'install.istio.io/v1alpha1',
    kind: 'IstioOperator',
    spec: {
      profile: 'default',
      hub: pick(['docker.io/istio', 'registry.example.com/mesh']),
      tag: pick(['1.31.0', '1.31.0-distroless']),
      meshConfig,
      components: { cni: { enabled: chance(0.25) } },
      values: {
        global,
        sidecarInjectorWebhook: {
          ...(chance(0.3) && { rewriteAppHTTPProbe: chance(0.5) }),
          ...(chance(0.1) && { injectedAnnotations: { 'injected/by': 'mesh' } }),
          ...(chance(0.1) && { neverInjectSelector: [{ matchLabels: { tier: 'batch' } }] }),
          ...(chance(0.1) && {
            alwaysInjectSelector: [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }],
          }),
          ...(chance(0.2) && { templates: { custom: pick(CUSTOM_TEMPLATES) } }),
        },
      },
    },
  } as unknown as JsonObject;
}

/** Without settings of Stackdriver, which Istio's charts refuse. */
function installable(config: JsonObject): JsonObject {
  const { tracing, ...others } = config;
  return isJsonObject(tracing) && 'stackdriver' in tracing ? others : config;
}

/** Templates that users add. */
const CUSTOM_TEMPLATES = [
  'spec:\n  containers:\n  - name: istio-proxy\n    env:\n    - name: GREETING\n      value: hello-world\n',
  'metadata:\n  labels:\n    tier: custom\nspec:\n  containers:\n  - name: helper\n    image: helper:1\n  volumes:\n  - name: extra\n    emptyDir: {}\n',
  'metadata:\n  annotations:\n    hash: {{ .ObjectMeta.Namespace | sha256sum | trunc 8 | quote }}\n    kind: {{ kebabcase "CamelCase" }}\nspec:\n  dnsConfig:\n    searches: [shop.svc]\n',
];

/** Settings of a proxy, as the mesh, an annotation or a resource has them. */
export function randomProxyConfig({ chance, pick, below }: Random): JsonObject {
  return {
    ...(chance(0.2) && { terminationDrainDuration: pick(['1m', '10s', '500ms', '1h2m']) }),
    ...(chance(0.1) && { drainDuration: pick(['30s', '1m']) }),
    ...(chance(0.2) && { concurrency: below(4) }),
    ...(chance(0.2) && { holdApplicationUntilProxyStarts: chance(0.5) }),
    ...(chance(0.2) && { interceptionMode: pick(['REDIRECT', 'TPROXY']) }),
    ...(chance(0.1) && { statusPort: pick([15020, 15025]) }),
    ...(chance(0.2) && {
      proxyMetadata: pick([
        { ISTIO_META_DNS_CAPTURE: 'true' },
        { ENVOY_SECURE_MERGED_METRICS_PORT: '15022' },
        { ISTIO_META_DNS_CAPTURE: 'true', EXIT_ON_ZERO_ACTIVE_CONNECTIONS: 'true', A: '' },
      ]),
    }),
    ...(chance(0.1) && { image: { imageType: pick(['distroless', 'debug', 'default']) } }),
    ...(chance(0.2) && {
      tracing: pick([
        { sampling: 10, zipkin: { address: 'zipkin.obs:9411' } },
        { stackdriver: { debug: false, maxNumberOfAttributes: 200 } },
        { customTags: { b: { literal: { value: 'x' } }, a: { header: { name: 'h' } } } },
        { zipkin: { address: 'a:1' }, datadog: { address: '$(HOST_IP):8126' } },
        { tlsSettings: { mode: 'ISTIO_MUTUAL', insecureSkipVerify: false } },
      ]),
    }),
    ...(chance(0.1) && {
      proxyHeaders: {
        server: { value: 's', disabled: false },
        requestId: { disabled: true },
        forwardedClientCert: 'SANITIZE',
      },
    }),
    ...(chance(0.1) && { readinessProbe: { httpGet: { path: '/x', port: 80 }, periodSeconds: 0 } }),
    ...(chance(0.1) && { gatewayTopology: { numTrustedProxies: 2, forwardClientCertDetails: 'UNDEFINED' } }),
    ...(chance(0.1) && { extraStatTags: ['a', 'b'], meshId: 'mesh', runtimeValues: { x: 'true' } }),
    ...(chance(0.1) && { proxyStatsMatcher: { inclusionRegexps: ['.*a.*'], inclusionPrefixes: [] } }),
    ...(chance(0.1) && { privateKeyProvider: { cryptomb: { pollDelay: '10ms', fallback: false } } }),
    ...(chance(0.1) && {
      discoveryAddress: 'istiod.other.svc:15012',
      controlPlaneAuthPolicy: pick(['NONE', 'MUTUAL_TLS']),
    }),
  } as unknown as JsonObject;
}

export function randomProxyConfigResources(random: Random): readonly JsonObject[] {
  const { chance, pick, below } = random;
  return Array.from({ length: chance(0.4) ? 1 + below(3) : 0 }, (_, index) => ({
    apiVersion: 'networking.istio.io/v1beta1',
    kind: 'ProxyConfig',
    metadata: {
      name: `proxy-${index}`,
      namespace: pick(['shop', 'istio-system']),
      creationTimestamp: `2026-01-0${1 + index}T00:00:00Z`,
    },
    spec: {
      ...(chance(0.5) && {
        selector: { matchLabels: pick<JsonObject>([{}, { app: 'web' }, { app: 'other' }]) },
      }),
      ...(chance(0.5) && { concurrency: below(3) }),
      ...(chance(0.4) && { environmentVariables: { FROM_RESOURCE: `${index}` } }),
      ...(chance(0.3) && { image: { imageType: 'debug' } }),
    },
  })) as unknown as readonly JsonObject[];
}
