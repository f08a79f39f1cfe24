import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { loadCatalog } from '../../src/injectors/catalog.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { createPipeline, type Entry } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import { withApiDefaults } from '../../src/testing/api-defaults.ts';
import { peersFolder } from './peers-folder.ts';

const catalog = await loadCatalog();
const folder = peersFolder('istio');

/** Injectors that add a container, which Istio's templates list and patch. */
const OTHERS: readonly (readonly [string, string, object])[] = [
  ['filebeat as a container', 'filebeat', { sidecar: 'container' }],
  ['filebeat as a native sidecar', 'filebeat', { sidecar: 'native' }],
  ['a collector as a container', 'opentelemetry', { sidecar: 'container' }],
  ['a collector as a native sidecar', 'opentelemetry', { sidecar: 'native' }],
  ['an overlay with a container', 'overlay', { overlay: overlayWith('containers') }],
  ['an overlay with an init container', 'overlay', { overlay: overlayWith('initContainers') }],
];
/** Patches the proxy of another template and adds a container. */
const CUSTOM = `
spec:
  containers:
  - {name: istio-proxy, args: [proxy, more]}
  - {name: helper, image: helper:1}
`;
const TEMPLATES = [
  'sidecar',
  'gateway',
  'grpc-simple',
  'grpc-agent',
  'sidecar,grpc-simple',
  'sidecar,custom',
  'custom,sidecar',
  'grpc-agent,custom',
];
const rows = TEMPLATES.flatMap((templates) =>
  OTHERS.flatMap(([name, use, settings]) =>
    [true, false].flatMap((nativeSidecars) =>
      [true, false].map((isFirst) => ({ templates, name, use, settings, nativeSidecars, isFirst })),
    ),
  ),
);

describe.skipIf(folder === undefined)("Istio's own templates together with another injector", () => {
  it.each(rows)(
    '$templates with $name: native $nativeSidecars, first $isFirst',
    ({ templates, use, settings, nativeSidecars, isFirst }) => {
      const entries = [entryOf('istio', { nativeSidecars }), entryOf(use, settings)];
      const pipeline = createPipeline(isFirst ? entries : entries.toReversed());
      const cluster = filesView(clusterIn(folder as string));
      const run = (pod: KubeObject) => {
        const request = { operation: 'CREATE', namespace: 'shop', username: 'test' } as const;
        const outcome = runPipeline(pipeline, requestFor(pod, request), pod, cluster);
        if (!outcome.allowed) throw new Error(outcome.reason);
        return outcome;
      };
      const { object, patch } = run(podWith(templates));
      expect(patch.length).toBeGreaterThan(2);
      const stored = withApiDefaults(asJson(object)) as unknown as KubeObject;
      for (const again of [object, stored]) expect(run(again).patch).toEqual([]);
    },
  );
});

function entryOf(use: string, settings: object): Entry {
  const injector = catalog.find(({ name }) => name === use) as (typeof catalog)[number];
  return { name: use, injector, config: injector.config?.(settings) };
}

function overlayWith(list: 'containers' | 'initContainers'): object {
  return { spec: { [list]: [{ name: 'agent', image: 'agent:1' }] } };
}

function podWith(templates: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      labels: { app: 'web' },
      annotations: {
        'inject.istio.io/templates': templates,
        'filebeat.enabled': 'true',
        'sidecar.opentelemetry.io/inject': 'true',
      },
    },
    spec: { containers: [{ name: 'web', image: 'nginx:1', ports: [{ containerPort: 80 }] }] },
  } as unknown as KubeObject;
}

function clusterIn(peers: string): KubeObject[] {
  const { inputs } = JSON.parse(readFileSync(join(peers, 'grpc-agent', 'case.json'), 'utf8')) as {
    inputs: { readonly config: string; readonly values: string; readonly mesh: string };
  };
  const text = (file: string) => readFileSync(join(peers, 'grpc-agent', file), 'utf8');
  const made = (apiVersion: string, kind: string, namespace: string, name: string, rest: object) =>
    ({ apiVersion, kind, metadata: { name, namespace }, ...rest }) as unknown as KubeObject;
  const map = (name: string, data: object) => made('v1', 'ConfigMap', 'istio-system', name, { data });
  const config = parse(text(inputs.config)) as { templates: object };
  const extended = { ...config, templates: { ...config.templates, custom: CUSTOM } };
  return [
    map('istio-sidecar-injector', { config: JSON.stringify(extended), values: text(inputs.values) }),
    map('istio', { mesh: text(inputs.mesh) }),
    made('opentelemetry.io/v1beta1', 'OpenTelemetryCollector', 'shop', 'col', {
      spec: {
        mode: 'sidecar',
        config: {
          receivers: { otlp: { protocols: { grpc: {} } } },
          exporters: { debug: {} },
          service: { pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } } },
        },
      },
    }),
  ];
}
