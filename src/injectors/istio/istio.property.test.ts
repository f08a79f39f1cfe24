import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { checkLaws } from '../../testing/laws.ts';
import { istio } from './istio.ts';
import { readSettings } from './settings.ts';

/** Does everything that Istio's templates do to a Pod, without their text. */
const template = `
{{- $native := .NativeSidecars }}
{{- with index .ObjectMeta.Annotations "sidecar.istio.io/nativeSidecar" }}{{ $native = eq . "true" }}{{ end }}
metadata:
  labels: {workload: {{ .DeploymentMeta.Name | quote }}}
  annotations:
    {{- if not (isset .ObjectMeta.Annotations "first") }}
    first: {{ range $i, $c := .Spec.Containers }}{{ if eq $i 0 }}{{ $c.Name | quote }}{{ end }}{{ end }}
    {{- end }}
    rev: {{ .Revision | quote }}
spec:
  initContainers:
  - name: istio-init
    image: {{ .ProxyInitImage }}
    args: [-u, "{{ .ProxyUID }}"]
  {{- if not $native }}
  containers:
  {{- end }}
  - name: istio-proxy
    image: {{ .ProxyImage }}
    {{ if $native }}restartPolicy: Always{{ end }}
    args: [proxy]
    ports: [{containerPort: 15090, name: prom, protocol: TCP}]
    env:
    - {name: ISTIO_META_CLUSTER_ID, value: Kubernetes}
    - name: PORTS
      value: |-
        [{{ $first := true }}{{ range .Spec.Containers }}{{ range .Ports }}{{ if not $first }},{{ end }}{{ structToJSON . }}{{ $first = false }}{{ end }}{{ end }}]
    - name: ISTIO_METAJSON_ANNOTATIONS
      value: {{ toJSON .ObjectMeta.Annotations | quote }}
    - name: POD
      valueFrom: {fieldRef: {fieldPath: metadata.name}}
    resources:
      limits: {cpu: 2000m, memory: 1024Mi}
    securityContext: {runAsUser: {{ .ProxyUID }}}
    volumeMounts: [{name: socket, mountPath: /socket}]
  volumes:
  - {name: socket, emptyDir: }
  - name: info
    downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}
  imagePullSecrets: [{name: pull}]
`;

const of = (name: string, data: object) =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'istio-system' },
    data,
  }) as KubeObject;
const cluster = filesView([
  of('istio-sidecar-injector', {
    config: JSON.stringify({ policy: 'enabled', templates: { sidecar: template } }),
    values: JSON.stringify({
      global: { hub: 'h', tag: 't' },
      sidecarInjectorWebhook: { rewriteAppHTTPProbe: true },
    }),
  }),
  of('istio', { mesh: '{}' }),
]);

const port = fc.constantFrom<string | number>(80, 8080, 'http', 'nowhere', '81');
const action = fc.oneof(
  fc.record({
    httpGet: fc.record(
      { path: fc.constant('/a'), port, scheme: fc.constantFrom('HTTP', 'HTTPS') },
      { requiredKeys: ['port'] },
    ),
  }),
  fc.record({ tcpSocket: fc.record({ port }) }),
  fc.record({ grpc: fc.record({ port: fc.constant(9) }) }),
  fc.record({ exec: fc.record({ command: fc.constant(['x']) }) }),
);
const optional = { requiredKeys: [] as never[] };
const fields = fc.record(
  {
    image: fc.constantFrom('auto', 'nginx', 'nginx:1'),
    args: fc.constant(['mine']),
    ports: fc.uniqueArray(
      fc.record(
        { containerPort: fc.constantFrom(80, 8080, 15090), name: fc.constantFrom('http', 'x') },
        { requiredKeys: ['containerPort'] },
      ),
      { selector: ({ containerPort }) => containerPort, maxLength: 2 },
    ),
    env: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('A', 'POD', 'ISTIO_META_CLUSTER_ID'),
        value: fc.constantFrom('1', ''),
      }),
      {
        selector: ({ name }) => name,
        maxLength: 3,
      },
    ),
    resources: fc.constantFrom({}, { limits: { cpu: '1.5' } }, { requests: { memory: '1024Mi' } }),
    readinessProbe: action,
    livenessProbe: action,
    lifecycle: fc.record({
      preStop: fc.constantFrom({ httpGet: { port: 80 } }, { exec: { command: ['x'] } }),
    }),
    securityContext: fc.constantFrom(
      { runAsUser: 5 },
      { runAsUser: 0, runAsGroup: 6 },
      { privileged: false },
    ),
    volumeMounts: fc.constant([{ name: 'socket', mountPath: '/socket', readOnly: true }]),
    newerField: fc.constant({ deep: [1] }),
  },
  optional,
);
const list = (names: readonly string[], least: number) =>
  fc.uniqueArray(
    fc.tuple(fc.constantFrom(...names), fields).map(([name, rest]) => ({ name, ...rest })),
    { selector: ({ name }) => name, minLength: least, maxLength: 3 },
  );
const annotations = fc.record(
  {
    'prometheus.io/port': fc.constantFrom('9000', '15020'),
    'prometheus.io.scrape': fc.constantFrom('true', 'false'),
    'sidecar.istio.io/nativeSidecar': fc.constantFrom('true', 'false'),
    'sidecar.istio.io/interceptionMode': fc.constantFrom('TPROXY', 'NONE'),
    'proxy.istio.io/config': fc.constantFrom('holdApplicationUntilProxyStarts: true', 'concurrency: 3'),
    'status.sidecar.istio.io/port': fc.constant('15999'),
    other: fc.constant('x'),
  },
  optional,
);
const pods = fc
  .record({
    annotations,
    labels: fc.record({ app: fc.constant('a'), 'topology.istio.io/network': fc.constant('n') }, optional),
    containers: list(['web', 'other', 'istio-proxy'], 1),
    initContainers: list(['setup', 'istio-init'], 0),
    volumes: fc.constantFrom(
      [],
      [{ name: 'socket', hostPath: { path: '/s' } }],
      [{ name: 'own', emptyDir: {} }],
    ),
  })
  .map(({ annotations: notes, labels, ...spec }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels, annotations: notes },
    spec,
  }));

describe('for any Pod', () => {
  test('the laws hold, with or without native sidecars and a separate cluster', {
    timeout: 120_000,
  }, () => {
    const settings = [{}, { nativeSidecars: false }, { injectPath: '/inject/cluster/c/net/n' }].map((raw) =>
      readSettings(raw),
    );
    fc.assert(
      fc.property(pods, fc.constantFrom(...settings), (pod, config) => {
        const object = pod as unknown as KubeObject;
        const request = requestFor(object, { operation: 'CREATE', namespace: 'default', username: 'test' });
        const outcome = checkLaws({
          entry: { name: 'mesh', injector: istio, config },
          request,
          object,
          cluster,
          removes: true,
        });
        expect(outcome.allowed).toBe(true);
        const { containers, initContainers = [] } = outcome.allowed
          ? (outcome.object.spec as Record<string, { name: string }[]>)
          : {};
        const names = [...(containers ?? []), ...initContainers].map(({ name }) => name);
        expect(names.filter((name) => name === 'istio-proxy')).toHaveLength(1);
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
    );
  });
});
