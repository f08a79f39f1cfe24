import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { takesFields, withManagedFields } from './managed-fields.ts';
import { resolveRequest } from './request.ts';

const pod = (metadata: JsonObject, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'app', image: 'a' }], ...spec },
});
const update = (object: JsonObject, oldObject: JsonObject) =>
  takesFields(resolveRequest({ object, oldObject }, () => undefined));

test('a new object belongs to its creator, field by field', () => {
  const object = pod({ labels: { app: 'web' } }, { tolerations: [{ key: 'x' }] });
  const { metadata } = withManagedFields(
    resolveRequest({ object }, () => undefined),
    '2026-01-01T00:00:00Z',
  );
  expect(metadata).toMatchObject({
    managedFields: [
      {
        manager: 'unknown',
        operation: 'Update',
        fieldsV1: {
          'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
          'f:spec': {
            'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:name': {}, 'f:image': {} } },
            'f:tolerations': {},
          },
        },
      },
    ],
  });
});

test.each([
  ['a label', pod({ labels: { a: '1', b: '2' } }), pod({ labels: { a: '1' } })],
  ['the value of a label', pod({ labels: { a: '2' } }), pod({ labels: { a: '1' } })],
  ['a container', pod({}, { containers: [{ name: 'x' }] }), pod({})],
  ['an atomic list', pod({}, { tolerations: [] }), pod({}, { tolerations: [{ key: 'x' }] })],
])('an update that changes %s takes fields', (_, object, oldObject) => {
  expect(update(object, oldObject)).toBe(true);
});

test.each([
  ['nothing', pod({}), pod({})],
  ['a label', pod({ labels: {} }), pod({ labels: { a: '1' } })],
  ['a container', pod({}), pod({}, { containers: [{ name: 'b' }, { name: 'app', image: 'a' }] })],
])('an update that removes %s takes none', (_, object, oldObject) => {
  expect(update(object, oldObject)).toBe(false);
});
