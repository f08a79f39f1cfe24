import fc from 'fast-check';
import { test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { checkLaws } from '../../testing/laws.ts';
import { LANGUAGES } from './annotations.ts';
import { opentelemetry } from './opentelemetry.ts';

const PREFIX = 'instrumentation.opentelemetry.io';
const name = fc.constantFrom('web', 'worker', 'istio-proxy', 'otc-container', 'constructor');
const endpoint = fc.constantFrom(
  '',
  ':1',
  '0.0.0.0:4317',
  'localhost',
  '[::1]:5',
  ':99999',
  '$(A):6',
  7,
  null,
);
const settings = fc.oneof(
  fc.constantFrom(null, {}, 'text', []),
  fc.record({ endpoint }),
  fc.record({
    protocols: fc.oneof(
      fc.dictionary(
        fc.constantFrom('grpc', 'http', 'constructor'),
        fc.oneof(fc.constant(null), fc.record({ endpoint })),
      ),
      fc.constantFrom(null, 5),
    ),
  }),
  fc.record({ http: fc.record({ endpoint }) }),
);
const RECEIVERS = [
  'otlp',
  'otlp/2',
  'zipkin',
  'statsd',
  'syslog',
  'kubeletstats',
  'Mine',
  'constructor',
  '__proto__',
];
const EXTENSIONS = ['health_check', 'healthcheckv2', 'jaeger_query', 'pprof'];
const list = (...items: string[]) => fc.oneof(fc.subarray(items), fc.constantFrom(null, 5));
const config = fc.record(
  {
    receivers: fc.dictionary(fc.constantFrom(...RECEIVERS), settings),
    exporters: fc.dictionary(fc.constantFrom('prometheus', 'debug'), settings),
    extensions: fc.oneof(fc.dictionary(fc.constantFrom(...EXTENSIONS), settings), fc.constant(null)),
    service: fc.record(
      {
        extensions: list(...EXTENSIONS),
        pipelines: fc.dictionary(
          fc.constantFrom('traces', 'metrics'),
          fc.record({ receivers: list(...RECEIVERS), exporters: list('prometheus', 'debug') }),
        ),
        telemetry: fc.constantFrom(
          null,
          {},
          { metrics: { address: ':1' } },
          { metrics: { readers: [{}, null] } },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const collector = fc
  .record(
    {
      config,
      args: fc.constantFrom({}, { a: '1', 'a-b': '2' }),
      livenessProbe: fc.constantFrom({ initialDelaySeconds: 5 }, {}),
      ports: fc.constantFrom([{ name: 'metrics', port: 1 }], [{ port: 2 }], [{}]),
      configmaps: fc.constantFrom([{ name: 'a.b', mountpath: '../..//x/' }], [{ name: 'A', mountpath: '' }]),
      volumes: fc.constantFrom([{ name: 'data', emptyDir: {} }], [{}]),
      env: fc.constantFrom([{ name: 'POD_NAME', value: 'x' }], [{}]),
    },
    { requiredKeys: ['config'] },
  )
  .map((spec) => ({ mode: 'sidecar', ...spec }));
const instrumentation = fc.record(
  {
    exporter: fc.constantFrom({ endpoint: 'http://a:4317' }, { tls: { secretName: 's', ca_file: 'ca' } }),
    resource: fc.constantFrom({
      resourceAttributes: { '': 'x', 'a=b': 'c', d: 'e' },
      addK8sUIDAttributes: true,
    }),
    env: fc.constantFrom([{ name: 'A', value: '$(B)' }, { name: 'B' }]),
    java: fc.constantFrom(
      { env: [{ name: 'C', value: '$(A)' }] },
      { resources: { limits: {}, requests: {} } },
    ),
    apacheHttpd: fc.constantFrom({ configPath: '/etc/apache2//' }),
  },
  { requiredKeys: [] },
);
const container = fc.record(
  {
    name,
    image: fc.constantFrom('web', 'web:1', 'r:5000/web@sha256:abc', ''),
    env: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(
          'OTEL_RESOURCE_ATTRIBUTES',
          'JAVA_TOOL_OPTIONS',
          'OTEL_SERVICE_NAME',
          'B',
          'PYTHONPATH',
        ),
        value: fc.constantFrom('', 'team=red', '=x, ,a==b', 'service.name=mine,', ':'),
      }),
      { selector: (entry) => entry.name },
    ),
    volumeMounts: fc.constantFrom([{ name: 'data', mountPath: '/otel-auto-instrumentation-nodejs/' }]),
  },
  { requiredKeys: ['name'] },
);
const annotations = fc.dictionary(
  fc.constantFrom(
    ...LANGUAGES.map((language) => `${PREFIX}/inject-${language}`),
    `${PREFIX}/container-names`,
    'sidecar.opentelemetry.io/inject',
    'resource.opentelemetry.io/',
    'resource.opentelemetry.io/service.version',
    'resource.opentelemetry.io/k8s.deployment.name',
  ),
  fc.constantFrom('', 'true', 'true', 'web', 'web,worker', 'shop/default'),
);

test('the laws hold for random Pods with random Instrumentations and collectors', () => {
  const entries = ['native', 'container'].map((sidecar) => ({
    name: 'opentelemetry',
    injector: opentelemetry,
    config: opentelemetry.config?.({ languages: [...LANGUAGES], sidecar }),
  }));
  const containers = fc.uniqueArray(container, { minLength: 1, selector: (item) => item.name });
  fc.assert(
    fc.property(
      annotations,
      containers,
      instrumentation,
      collector,
      fc.constantFrom(...entries),
      (own, items, spec, collectorSpec, entry) => {
        const pod: KubeObject = {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'web', namespace: 'shop', annotations: own },
          spec: { containers: items, volumes: [{ name: 'data', emptyDir: {} }] },
        };
        const metadata = { name: 'default', namespace: 'shop' };
        const cluster = filesView([
          { apiVersion: 'opentelemetry.io/v1alpha1', kind: 'Instrumentation', metadata, spec },
          {
            apiVersion: 'opentelemetry.io/v1beta1',
            kind: 'OpenTelemetryCollector',
            metadata,
            spec: collectorSpec,
          },
        ]);
        const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'test' });
        checkLaws({ entry, object: pod, cluster, request, removes: true });
      },
    ),
    { numRuns: 300 },
  );
});
