import { expect, test } from 'vitest';
import { valueAt } from '../../../json/value-at.ts';
import { asJson } from '../../../kube/kube-object.ts';
import { resourceDefinitions } from './resource-definitions.ts';

const [instrumentation, collector] = resourceDefinitions().map((definition) =>
  valueAt(asJson(definition), '/spec/versions/0/schema/openAPIV3Schema/properties/spec'),
);
const ANY_MAP = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const NAME = { type: 'string', minLength: 1 };
const QUANTITY = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

test.each([
  ['/properties/exporter/properties/endpoint', { type: 'string' }],
  ['/properties/resource/properties/addK8sUIDAttributes', { type: 'boolean' }],
  [
    '/properties/resource/properties/resourceAttributes',
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  ['/properties/propagators/items/enum/0', 'tracecontext'],
  [
    '/properties/env/items',
    {
      type: 'object',
      properties: { name: NAME, value: { type: 'string' }, valueFrom: ANY_MAP },
      required: ['name'],
    },
  ],
  ['/properties/java/properties/volumeLimitSize', QUANTITY],
  ['/properties/java/properties/resources/properties/limits/additionalProperties', QUANTITY],
  ['/properties/java/properties/extensions/items/required', ['dir', 'image']],
  ['/properties/java/x-kubernetes-validations/0/message', expect.stringContaining('mutually exclusive')],
  [
    '/properties/nginx/properties/configFile',
    { type: 'string', maxLength: 256, pattern: '^[A-Za-z0-9._/-]*$' },
  ],
])('the Instrumentation definition has the schema of %s', (path, expected) => {
  expect(valueAt(instrumentation ?? null, path)).toEqual(expected);
});

test('the OpenTelemetryCollector definition requires a configuration and preserves unknown fields', () => {
  expect(collector).toMatchObject({ required: ['config'], 'x-kubernetes-preserve-unknown-fields': true });
  expect(valueAt(collector ?? null, '/properties/mode')).toEqual({
    type: 'string',
    enum: ['daemonset', 'deployment', 'sidecar', 'statefulset'],
    default: 'deployment',
  });
});

test.each([
  ['env', ['name']],
  ['volumes', ['name']],
  ['volumeMounts', ['name', 'mountPath']],
  ['initContainers', ['name']],
])('the OpenTelemetryCollector definition rejects incomplete items of %s', (field, required) => {
  const items = valueAt(collector ?? null, `/properties/${field}/items`);
  expect(items).toMatchObject({
    required,
    properties: Object.fromEntries(required.map((key) => [key, NAME])),
  });
});
