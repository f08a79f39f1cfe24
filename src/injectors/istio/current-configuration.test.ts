import { describe, expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { runPipeline } from '../../pipeline/run-pipeline.ts';
import { NO_FILES } from '../../sdk/file-view.ts';
import { istio } from './istio.ts';
import { readSettings, type Settings } from './settings.ts';

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};

const proxy = (image: string) => `spec: {containers: [{name: istio-proxy, image: ${image}}]}`;

function configMaps(template: string, values = '{}', mesh = 'enablePrometheusMerge: false'): KubeObject[] {
  const of = (name: string, data: object) =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'istio-system' },
      data,
    }) as KubeObject;
  const config = JSON.stringify({ policy: 'enabled', templates: { sidecar: template } });
  return [of('istio-sidecar-injector', { config, values }), of('istio', { mesh })];
}

function inject(settings: Settings, objects: readonly KubeObject[]) {
  const pipeline = createPipeline([{ name: 'mesh', injector: istio, config: settings }]);
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'default', username: 'test' });
  const outcome = runPipeline(pipeline, request, pod, filesView(objects));
  if (!outcome.allowed) throw new Error(outcome.reason);
  const { containers } = outcome.object.spec as { containers: { name: string; image: string }[] };
  return { image: containers.find(({ name }) => name === 'istio-proxy')?.image, warnings: outcome.warnings };
}

function problems(settings: Settings, objects: readonly KubeObject[]) {
  return istio.problems?.(settings, filesView(objects), NO_FILES);
}

describe('the configuration in force', () => {
  test('follows the ConfigMaps', () => {
    const settings = readSettings({});
    expect(inject(settings, configMaps(proxy('one'))).image).toBe('one');
    expect(inject(settings, configMaps(proxy('two'))).image).toBe('two');
    expect(problems(settings, configMaps(proxy('two')))).toEqual([]);
  });

  test.each([
    ['a template that cannot be parsed', configMaps('{{ if }}'), 'template: sidecar:1'],
    ['an unknown function', configMaps('{{ missing . }}'), 'function "missing" not defined'],
    ['an unknown field', configMaps('spec:\n  x: {{ .Missing }}'), 'sidecar:2:'],
    ['a template that renders invalid YAML', configMaps('a: [b'), 'template "sidecar" renders invalid YAML'],
    ['values that are invalid YAML', configMaps(proxy('two'), '{'), 'Cannot read Istio\'s "values"'],
    [
      'an invalid mesh',
      configMaps(proxy('two'), '{}', 'proxyListenPort: x'),
      'proxyListenPort: expected an integer',
    ],
    [
      'a number instead of a string',
      configMaps('spec: {containers: [{name: istio-proxy, env: [{name: A, value: 15}]}]}'),
      'expected a string at spec.containers[0].env[0].value, found a number',
    ],
    ['an item without its key', configMaps('spec: {volumes: [{emptyDir: {}}]}'), 'an item has no "name"'],
  ])('stays in force if the newer one has %s', (_, broken, reason) => {
    const settings = readSettings({});
    inject(settings, configMaps(proxy('one')));
    const { image, warnings } = inject(settings, broken);
    expect(image).toBe('one');
    expect(warnings.join()).toContain(reason);
    expect(warnings.join()).toContain('the last good configuration stays in force');
    expect(problems(settings, broken)).toEqual(warnings);
    expect(problems(settings, configMaps(proxy('three')))).toEqual([]);
  });

  test('is missing if there never was a valid one', () => {
    const settings = readSettings({});
    expect(() => inject(settings, configMaps('{{ if }}'))).toThrow('missing value for if');
    expect(() => inject(readSettings({}), [])).toThrow('"istio-system/istio-sidecar-injector" not found');
    expect(problems(settings, configMaps('{{ if }}'))).toHaveLength(1);
  });

  test('is checked without a Pod, and a valid one is in force from then on', () => {
    const settings = readSettings({});
    expect(problems(settings, [])).toEqual([
      expect.stringContaining('"istio-system/istio-sidecar-injector" not found'),
    ]);
    expect(problems(settings, configMaps(proxy('one')))).toEqual([]);
    const broken = configMaps('{{ if }}');
    expect(problems(settings, broken)).toEqual([
      expect.stringContaining('the last good configuration stays in force'),
    ]);
    expect(inject(settings, broken).image).toBe('one');
  });

  test('belongs to the revision and namespace of the settings', () => {
    const settings = readSettings({ revision: 'canary', namespace: 'mesh' });
    expect(() => inject(settings, [])).toThrow('"mesh/istio-sidecar-injector-canary" not found');
    expect(
      istio.needs?.(pod as never, {
        request: requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: '' }),
        config: settings,
      }),
    ).toMatchObject([
      { namespace: 'mesh', name: 'istio-sidecar-injector-canary' },
      { namespace: 'mesh', name: 'istio-canary' },
    ]);
  });
});

test('a shared mesh is weaker than the mesh of the revision', () => {
  const template =
    'spec: {containers: [{name: istio-proxy, image: "{{ .MeshConfig.TrustDomain }}-{{ .ProxyConfig.MeshId }}"}]}';
  const shared = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'shared', namespace: 'istio-system' },
    data: { mesh: 'trustDomain: shared\ndefaultConfig: {meshId: shared}' },
  } as KubeObject;
  const settings = readSettings({ sharedMeshConfig: 'shared' });
  expect(inject(settings, [...configMaps(template, '{}', 'trustDomain: own'), shared]).image).toBe(
    'own-shared',
  );
});

test('errors in settings name the key', () => {
  expect(() => readSettings({ platform: 'aix' })).toThrow('platform');
  expect(() => readSettings({ revison: 'a' })).toThrow('unknown key "revison"');
  expect(() => readSettings({ nativeSidecars: 'maybe' })).toThrow('nativeSidecars');
});
