import { describe, expect, test } from 'vitest';
import { filesView } from '../src/cluster/views/files-view.ts';
import { istio } from '../src/injectors/istio/istio.ts';
import { readSettings } from '../src/injectors/istio/settings.ts';
import { asJson, type KubeObject } from '../src/kube/kube-object.ts';
import { createPipeline } from '../src/pipeline/pipeline.ts';
import { requestFor } from '../src/pipeline/run-manifest.ts';
import { runPipeline } from '../src/pipeline/run-pipeline.ts';
import { defineInjector, overlay } from '../src/sdk/index.ts';
import { withApiDefaults } from '../src/testing/api-defaults.ts';

/** Adds a container, as Filebeat, a collector or an overlay do. */
const sidecar = defineInjector({
  name: 'sidecar',
  summary: 'Adds a container',
  match: {},
  inject: () => overlay({ spec: { containers: [{ name: 'shipper', image: 'shipper:1' }] } }),
});

const TEMPLATES = {
  sidecar: 'spec: {containers: [{name: istio-proxy, image: proxy}]}',
  // Like Istio's grpc-simple, it changes every container.
  everywhere: `spec:
  containers:
  {{- range .Spec.Containers }}
  - name: {{ .Name }}
    env: [{name: GRPC_XDS_BOOTSTRAP, value: /etc/grpc.json}]
  {{- end }}
  volumes: [{name: grpc, emptyDir: {}}]`,
  custom: `spec:
  containers:
  - {name: istio-proxy, env: [{name: A, value: b}]}
  - {name: extra, image: extra}`,
};

describe('with an injector that adds a container, a second call changes nothing', () => {
  const orders = [
    ['istio first', true],
    ['istio last', false],
  ] as const;
  test.each(
    orders.flatMap(([order, isFirst]) =>
      ['sidecar', 'everywhere', 'sidecar,custom', 'sidecar,everywhere'].map(
        (names) => [order, names, isFirst] as const,
      ),
    ),
  )('%s, templates %s', (_, templates, isFirst) => {
    const run = injector(isFirst);
    const first = run({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'shop', annotations: { 'inject.istio.io/templates': templates } },
      spec: { containers: [{ name: 'web', image: 'web' }] },
    } as unknown as KubeObject);
    const stored = withApiDefaults(asJson(first.object)) as unknown as KubeObject;
    for (const again of [first.object, stored]) expect(run(again).patch).toEqual([]);
  });
});

function injector(isFirst: boolean) {
  const config = JSON.stringify({ policy: 'enabled', templates: TEMPLATES });
  const view = filesView([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'istio-sidecar-injector', namespace: 'istio-system' },
      data: { config, values: '{}' },
    } as KubeObject,
  ]);
  const mesh = { name: 'istio', injector: istio, config: readSettings({ nativeSidecars: false }) };
  const other = { name: 'sidecar', injector: sidecar, config: undefined };
  const pipeline = createPipeline(isFirst ? [mesh, other] : [other, mesh], []);
  return (pod: KubeObject) => {
    const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'test' });
    const outcome = runPipeline(pipeline, request, pod, view);
    if (!outcome.allowed) throw new Error(outcome.reason);
    return outcome;
  };
}
