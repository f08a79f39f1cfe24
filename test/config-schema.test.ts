import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';

const schema: object = JSON.parse(
  readFileSync(new URL('../docs/config.schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv({ strict: false }).compile(schema);
const isValid = (overlay: object, match?: object, others: object = {}) =>
  validate({
    apiVersion: 'podgraft.dev/v1alpha1',
    kind: 'Config',
    injectors: [{ name: 'a', use: 'overlay', ...(match && { match }), with: { overlay, ...others } }],
  });

test('the published schema knows the fields of Pods, with directives', () => {
  const overlay = {
    metadata: { labels: { a: { $force: 'b' } } },
    spec: {
      dnsPolicy: { $force: 'Default' },
      restartPolicy: null,
      terminationGracePeriodSeconds: { $atLeast: 30 },
      nodeSelector: { $absent: true },
      containers: [
        { $absent: { name: 'old' } },
        {
          name: '*',
          $at: { first: true, keep: true },
          env: [{ name: 'A', value: { $tokens: { separator: ' ', parts: ['-a'] } } }],
          resources: { requests: { cpu: '100m', memory: { $atLeast: '1Gi' } } },
          ports: [{ containerPort: 80 }],
        },
      ],
    },
  };
  expect(isValid(overlay), JSON.stringify(validate.errors)).toBe(true);
});

test.each<[string, object, object?]>([
  ['an unknown field', { spec: { containers: [{ name: 'a', imagePullpolicy: 'Always' }] } }],
  ['a wrong enum', { spec: { dnsPolicy: 'Bogus' } }],
  ['a wrong forced enum', { spec: { dnsPolicy: { $force: 'Bogus' } } }],
  ['a bad quantity', { spec: { containers: [{ name: 'a', resources: { limits: { cpu: 'lots' } } }] } }],
  ['a port out of range', { spec: { containers: [{ name: 'a', ports: [{ containerPort: 0 }] }] } }],
  ['a field of Pods on a Deployment', { spec: { containers: [] } }, { kinds: ['Deployment'] }],
  ['a field that one of two kinds lacks', { spec: { strategy: {} } }, { kinds: ['Deployment', 'DaemonSet'] }],
])('the published schema rejects %s', (_, overlay, match) => {
  expect(isValid(overlay, match)).toBe(false);
});

test('the published schema accepts other kinds, and fields of a newer Kubernetes, and leaves them to podgraft', () => {
  expect(isValid({ spec: { anything: 1 } }, { kinds: ['Service'] })).toBe(true);
  expect(isValid({ spec: { anything: 1 } }, { kinds: ['*'] })).toBe(true);
  expect(isValid({ spec: { anything: 1 } }, undefined, { unknownFields: 'warn' })).toBe(true);
});
