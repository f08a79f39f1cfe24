import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { clusterObjects } from '../policy/cluster-objects.ts';
import { codecOf } from '../policy/codec.ts';
import { applyWebhookPatch } from './apply-webhook-patch.ts';
import { resolveRequest } from './request.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

const cluster = clusterObjects([]);
const [webhook] = webhooksOf(
  [
    {
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'c' },
      webhooks: [{ name: 'w.example.com' }],
    },
  ],
  'mutating',
);
const codec = codecOf({ group: '', version: 'v1', kind: 'Pod' }, cluster);
const pod = codec.complete({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default', labels: { app: 'web' } },
  spec: { containers: [{ name: 'app', image: 'nginx' }] },
  status: {},
});

function apply(patch: unknown, patchType = 'JSONPatch', object: JsonObject | null = pod) {
  const text = typeof patch === 'string' ? patch : JSON.stringify(patch);
  const request = resolveRequest(object === null ? { oldObject: pod } : { object }, cluster.customResource);
  const response = { allowed: true, patch: Buffer.from(text).toString('base64'), patchType };
  return applyWebhookPatch(webhook as Webhook, response, object, request, codec);
}

test('a patch changes the object, and shares unchanged parts', () => {
  const result = apply([{ op: 'add', path: '/metadata/labels/added', value: 'yes' }]);
  expect(result).toMatchObject({ changed: true, isDifferent: true });
  const object = 'object' in result ? result.object : {};
  expect(object).toMatchObject({ metadata: { labels: { app: 'web', added: 'yes' } } });
  expect(object.spec).toBe(pod.spec);
});

test('added parts get the API defaults; unknown fields are dropped', () => {
  const container = { name: 'side', image: 'side:1', unknown: 1, ports: [{ containerPort: 80 }] };
  const result = apply([{ op: 'add', path: '/spec/containers/-', value: container }]);
  const { spec } = ('object' in result ? result.object : {}) as { spec: { containers: JsonObject[] } };
  expect(spec.containers[1]).toMatchObject({
    imagePullPolicy: 'IfNotPresent',
    ports: [{ containerPort: 80, protocol: 'TCP' }],
  });
  expect(spec.containers[1]).not.toHaveProperty('unknown');
});

test('a patch that sets an existing value changes nothing', () => {
  const result = apply([{ op: 'replace', path: '/metadata/labels/app', value: 'web' }]);
  expect(result).toMatchObject({ changed: false, isDifferent: false });
});

test.each([
  ['[]', 'unpatched'],
  ['null', 'unpatched'],
])('rejects %s as a patch', (text, key) => {
  expect(apply(text, 'Anything')).toHaveProperty(key, true);
});

test('failurePolicy applies to an unreadable patch, and to its type', () => {
  expect(apply('{}')).toEqual({
    callError:
      'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  });
  const add = [{ value: 'x', path: '/metadata/labels/x', op: 'add' }];
  expect(apply(add, 'MergePatch')).toEqual({
    callError: 'unsupported patch type "MergePatch"',
    patch: [{ op: 'add', path: '/metadata/labels/x', value: 'x' }],
  });
});

test.each([
  [
    'add operation does not apply: doc is missing path: "/metadata/annotations/x": missing value',
    { op: 'add', path: '/metadata/annotations/x', value: 'y' },
  ],
  ['testing value /metadata/name failed: test failed', { op: 'test', path: '/metadata/name', value: 'q' }],
  [
    'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    { op: 'add', path: '/metadata/labels/n', value: 1 },
  ],
])('failurePolicy does not help against: %s', (message, operation) => {
  expect(apply([operation])).toMatchObject({
    status: { code: 500, message: `Internal error occurred: ${message}` },
  });
});

test('a patch of another kind is noticed after decoding', () => {
  expect(apply([{ op: 'replace', path: '/kind', value: 'ConfigMap' }])).toMatchObject({
    isAfterDecoding: true,
    status: { code: 500, message: 'converting (v1.ConfigMap) to (core.Pod): unknown conversion' },
  });
});

test('nothing can be patched on DELETE', () => {
  const result = apply([{ op: 'add', path: '/metadata/labels/x', value: 'y' }], 'JSONPatch', null);
  expect(result).toMatchObject({
    status: {
      message:
        'Internal error occurred: admission webhook "w.example.com" attempted to modify the object, which is not supported for this operation',
    },
  });
});
