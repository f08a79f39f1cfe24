import { describe, expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { runPipeline } from '../../pipeline/run-pipeline.ts';
import { filebeat } from './filebeat.ts';

/** Generous: the machine may be busy, and superlinear algorithms take far longer. */
const TIME_LIMIT = 5000;

function run(annotations: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}) {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations: { 'filebeat.enabled': 'true', ...annotations }, ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
  } as unknown as KubeObject;
  const request = requestFor(object, { operation: 'CREATE', namespace: 'default', username: 'test' });
  const pipeline = createPipeline([{ name: 'filebeat', injector: filebeat, config: filebeat.config?.({}) }]);
  const start = performance.now();
  const outcome = runPipeline(pipeline, request, object, filesView([]));
  expect(performance.now() - start).toBeLessThan(TIME_LIMIT);
  return outcome;
}

// Beyond 256 KiB of annotations, the pipeline leaves the Pod to the API server.
const LONG = 200_000;

describe('an annotation of 200,000 characters is denied in a few words', () => {
  test.each([
    ['log-path', '/a/b.log,'.repeat(LONG / 9)],
    ['log-path', `/${'a'.repeat(LONG)}`],
    ['image', 'x'.repeat(LONG)],
    ['configmap', 'a'.repeat(LONG)],
    ['worker', '1'.repeat(LONG)],
    ['resources.limits.cpu', '1'.repeat(LONG)],
    ['lifecycle.exec.command', 'a,'.repeat(LONG / 2)],
    ['lifecycle.httpget.port', '1'.repeat(LONG)],
  ])('%s', (name, value) => {
    const outcome = run({ [`filebeat.${name}`]: value });
    if (outcome.allowed) throw new Error('expected a denial');
    expect(outcome.reason).toMatch(/expected at most 32768 characters$/);
    expect(outcome.reason.length).toBeLessThan(300);
  });
});

test('64,000 volumes with the names that the injector would choose take linear time', () => {
  const volumes = Array.from({ length: 64_000 }, (_, index) => ({
    name: `filebeat-config${index === 0 ? '' : `-${index + 1}`}`,
    secret: {},
  }));
  expect(run({}, { volumes })).toMatchObject({ allowed: true });
});

test('warnings about thousands of containers stay few and short', () => {
  const containers = Array.from({ length: 2000 }, (_, index) => ({
    name: `c${index}`,
    image: 'x',
    volumeMounts: [{ name: `v${index}${'x'.repeat(1000)}`, mountPath: '/srv' }],
  }));
  const outcome = run({ 'filebeat.log-path': '/srv/logs/*.log' }, { containers });
  if (!outcome.allowed) throw new Error(outcome.reason);
  expect(outcome.warnings).toHaveLength(21);
  expect(outcome.warnings.join().length).toBeLessThan(20_000);
});

const sidecar = (fields: JsonObject): JsonObject => ({
  containers: [
    { name: 'web', image: 'nginx' },
    { name: 'filebeat', image: 'filebeat', ...fields },
  ],
});

test.each<[string, JsonObject, JsonObject]>([
  ['an owner without an apiVersion', {}, { ownerReferences: [{ kind: 'Job', name: 'web' }] }],
  ['owners that are not a list', {}, { ownerReferences: { kind: 'Job' } }],
  ['an owner that is not a map', {}, { ownerReferences: ['Job', 5] }],
  ['a command that is not a list', sidecar({ lifecycle: { preStop: { exec: { command: 'sleep 1' } } } }), {}],
  ['a hook that is not a map', sidecar({ lifecycle: { preStop: 5 } }), {}],
  ['resources that are not a map', sidecar({ resources: 'many' }), {}],
  ['an amount that is not a quantity', sidecar({ resources: { limits: { cpu: { a: 1 } } } }), {}],
  ['a mount without a path', sidecar({ volumeMounts: [{ name: 'a' }] }), {}],
  ['a mount at an empty path', sidecar({ volumeMounts: [{ name: 'a', mountPath: '' }] }), {}],
  [
    'a subPathExpr that is not a string',
    { containers: [{ name: 'web', volumeMounts: [{ name: 'a', mountPath: '/var/log', subPathExpr: 5 }] }] },
    {},
  ],
  ['volumes that are not maps', { volumes: [{ name: 'filebeat-config', configMap: 'x' }] }, {}],
])('%s is left to the API server', (_, spec, metadata) => {
  expect(run({}, spec, metadata)).toMatchObject({ allowed: true });
});

test('the app label of a manifest may be a number', () => {
  const outcome = run({}, {}, { labels: { app: 7 as Json } });
  expect(JSON.stringify(outcome)).toContain('{"name":"APP","value":"7"}');
});
