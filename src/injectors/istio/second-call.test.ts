import { describe, expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { asJson } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { runPipeline } from '../../pipeline/run-pipeline.ts';
import type { JsonObject } from '../../sdk/index.ts';
import { withApiDefaults } from '../../testing/api-defaults.ts';
import { istio } from './istio.ts';
import { readSettings } from './settings.ts';

/** Lists what templates read of the Pod's containers, as Istio's own template does. */
const SIDECAR = `
spec:
  {{- if .NativeSidecars }}
  initContainers:
  {{- else }}
  containers:
  {{- end }}
  - name: istio-proxy
    image: proxy
    {{- if .NativeSidecars }}
    restartPolicy: Always
    {{- end }}
    readinessProbe:
      httpGet: {path: /ready, port: 15021}
      periodSeconds: {{ annotation .ObjectMeta "readiness.status.sidecar.istio.io/periodSeconds" 15 }}
      failureThreshold: {{ annotation .ObjectMeta "readiness.status.sidecar.istio.io/failureThreshold" 4 }}
    env:
    - {name: ISTIO_META_DNS_CAPTURE, value: "true"}
    - {name: ISTIO_META_DNS_CAPTURE, value: "false"}
    - name: APP_CONTAINERS
      value: "{{ range .Spec.Containers }}{{ .Name }},{{ end }}"
    - name: POD_PORTS
      value: |-
        [{{ range .Spec.Containers }}{{ range .Ports }}{{ structToJSON . }} {{ end }}{{ end }}]
`;

const TEMPLATES = {
  sidecar: SIDECAR,
  helper: 'spec: {containers: [{name: helper, image: own}]}',
  each: 'spec: {containers: [{{ range .Spec.Containers }}{name: {{ .Name }}, tty: true},{{ end }}]}',
  remove: 'spec: {containers: [{name: debug, $patch: delete}]}',
};

const EACH = { 'inject.istio.io/templates': 'each' };

describe('a second call changes nothing', () => {
  test.each<[string, JsonObject, JsonObject, boolean]>([
    [
      'of a probe with annotations "0", which the API server replaces by its default',
      {
        'readiness.status.sidecar.istio.io/periodSeconds': '0',
        'readiness.status.sidecar.istio.io/failureThreshold': '0',
      },
      { containers: [{ name: 'web' }] },
      false,
    ],
    [
      'if the Pod and a custom template name the same container',
      { 'inject.istio.io/templates': 'sidecar,helper' },
      { containers: [{ name: 'helper', ports: [{ containerPort: 1 }] }, { name: 'web' }, { name: 'more' }] },
      false,
    ],
    [
      'if a template removes a container',
      { 'inject.istio.io/templates': 'sidecar,remove' },
      { containers: [{ name: 'debug', ports: [{ containerPort: 9 }] }, { name: 'web' }] },
      true,
    ],
    [
      'if the user wrote the proxy among the init containers',
      {},
      {
        initContainers: [{ name: 'istio-proxy', ports: [{ containerPort: 7 }] }],
        containers: [{ name: 'web', ports: [{ containerPort: 80 }] }],
      },
      true,
    ],
    [
      'if the user wrote the proxy before the other containers',
      {},
      { containers: [{ name: 'istio-proxy', image: 'auto' }, { name: 'web' }] },
      true,
    ],
    [
      'if the proxy of the user has an empty restartPolicy, which is a value in Go',
      {},
      { containers: [{ name: 'istio-proxy', restartPolicy: '' }, { name: 'web' }] },
      true,
    ],
  ])('%s', (_, annotations, spec, nativeSidecars) => {
    const run = injector({ nativeSidecars });
    const first = run(podWith(annotations, spec));
    for (const again of [first.object, withApiDefaults(first.object) as JsonObject])
      expect(run(again).patch).toEqual([]);
    // As in the original Pod. Within the first call, the injector has already seen its own result.
    const names = (spec.containers as readonly JsonObject[]).map(({ name }) => `${name},`);
    expect(JSON.stringify(first.object)).toContain(`"name":"APP_CONTAINERS","value":"${names.join('')}"`);
  });

  test.each([true, false])('if native sidecars were %s at the first call and no longer are', (native) => {
    const first = injector({ nativeSidecars: native })(podWith({}, { containers: [{ name: 'web' }] }));
    expect(injector({ nativeSidecars: !native })(first.object).patch).toEqual([]);
  });
});

test('a container that another injector has removed does not come back', () => {
  const run = injector({ nativeSidecars: true });
  const { object } = run(podWith(EACH, { containers: [{ name: 'web' }, { name: 'old' }] }));
  const { containers } = object.spec as { containers: JsonObject[] };
  const without = { ...object, spec: { ...(object.spec as object), containers: containers.slice(0, 1) } };
  expect(JSON.stringify(run(without as JsonObject).object.spec)).not.toContain('"old"');
});

test('adds no Podgraft key to the status where the Pod shows its containers before the injection', () => {
  const { object } = injector({ nativeSidecars: true })(podWith({}, { containers: [{ name: 'web' }] }));
  const { annotations } = object.metadata as { annotations: Record<string, string> };
  expect(annotations['sidecar.istio.io/status']).toBe(
    '{"initContainers":["istio-proxy"],"containers":null,"volumes":null,"imagePullSecrets":null,"revision":"default"}',
  );
});

test('a variable that a template defines twice keeps both values', () => {
  const { object } = injector({ nativeSidecars: false })(podWith({}, { containers: [{ name: 'web' }] }));
  for (const value of ['true', 'false'])
    expect(JSON.stringify(object)).toContain(`{"name":"ISTIO_META_DNS_CAPTURE","value":"${value}"}`);
});

test.each([{}, { 'sidecar.istio.io/status': '{}' }])(
  'variables of one name that the user sets for the proxy keep their values (annotations %j)',
  (annotations) => {
    const env = ['[1]', '[2]', '[3]'].map((value) => ({ name: 'X', value }));
    const proxy = { name: 'istio-proxy', image: 'auto', env };
    const { object } = injector({ nativeSidecars: false })(podWith(annotations, { containers: [proxy] }));
    const { containers } = object.spec as unknown as { containers: { env: { name: string }[] }[] };
    expect(containers[0]?.env.filter(({ name }) => name === 'X')).toEqual(env);
  },
);

function podWith(annotations: JsonObject, spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop', annotations }, spec };
}

function injector(settings: object) {
  const configMap = (name: string, data: object) =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'istio-system' },
      data,
    }) as KubeObject;
  const config = JSON.stringify({ policy: 'enabled', templates: TEMPLATES });
  const view = filesView([
    configMap('istio-sidecar-injector', { config, values: '{}' }),
    configMap('istio', { mesh: '' }),
  ]);
  const pipeline = createPipeline(
    [{ name: 'istio', injector: istio, config: readSettings({ ...settings }) }],
    [],
  );
  return (pod: JsonObject) => {
    const object = pod as unknown as KubeObject;
    const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'test' });
    const outcome = runPipeline(pipeline, request, object, view);
    if (!outcome.allowed) throw new Error(outcome.reason);
    return { object: asJson(outcome.object) as JsonObject, patch: outcome.patch };
  };
}
