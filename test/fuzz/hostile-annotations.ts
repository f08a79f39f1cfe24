import { type LargeObject, pod, repeated } from './large-pod.ts';

const PARSED_ANNOTATIONS: Readonly<Record<string, readonly string[]>> = {
  istio: [
    'proxy.istio.io/config',
    'proxy.istio.io/overrides',
    'sidecar.istio.io/status',
    'inject.istio.io/templates',
    'prometheus.istio.io/scrape-targets',
    'traffic.sidecar.istio.io/includeOutboundIPRanges',
    'traffic.sidecar.istio.io/excludeInboundPorts',
    'sidecar.istio.io/userVolume',
    'sidecar.istio.io/proxyImage',
    'k8s.v1.cni.cncf.io/networks',
  ],
  filebeat: ['filebeat.log-path', 'filebeat.lifecycle.exec.command'],
  opentelemetry: [
    'instrumentation.opentelemetry.io/container-names',
    'instrumentation.opentelemetry.io/java-container-names',
    'sidecar.opentelemetry.io/inject',
  ],
  'pod-identity': ['eks.amazonaws.com/skip-containers'],
};

const COSTLY_UNITS = [
  ',',
  '[',
  '/',
  'a,',
  'a: b\n',
  '{"a":',
  '80,',
  '"\\',
  '10.0.0.0/8,',
  '[{"name":"x","a":1},',
];

/** Annotations that injectors parse, with text that is costly for some parser. */
export function hostileAnnotations(size: string, length: number): readonly LargeObject[] {
  return Object.entries(PARSED_ANNOTATIONS).flatMap(([use, keys]) =>
    keys.flatMap((key) =>
      COSTLY_UNITS.map((unit) => ({
        name: `${size} of ${JSON.stringify(unit)} in ${key}`,
        use,
        make: () => pod({}, { [key]: repeated(unit, length) }),
      })),
    ),
  );
}
