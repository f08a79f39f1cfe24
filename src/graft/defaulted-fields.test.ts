import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { withDefaults } from '../kube/api-defaults.ts';
import { apiVersionOf, builtin } from '../kube/resource.ts';
import { defaultedFields } from './defaulted-fields.ts';
import { fieldsOf, kindType, type Struct, typeAt } from './field-schema.ts';

const found = (overlay: JsonObject, kind = 'Pod') =>
  defaultedFields(overlay, [builtin(kind)]).map(({ path }) => path.join('.'));

test('reports fields that every Pod has before webhooks are called', () => {
  const overlay = {
    spec: {
      dnsPolicy: 'Default',
      serviceAccountName: 'a',
      securityContext: { runAsNonRoot: true },
      containers: [
        { name: '*', imagePullPolicy: 'Always', tty: true },
        { name: 'app', terminationMessagePolicy: 'File' },
      ],
      initContainers: [{ name: 'init-*', imagePullPolicy: 'Never' }],
    },
  };
  expect(found(overlay)).toEqual([
    'spec.dnsPolicy',
    'spec.serviceAccountName',
    'spec.containers.0.imagePullPolicy',
    'spec.containers.1.terminationMessagePolicy',
    'spec.initContainers.0.imagePullPolicy',
  ]);
  expect(defaultedFields({ spec: { dnsPolicy: 'Default' } }, [builtin('Pod')])[0]?.message).toBe(
    'every Pod has "dnsPolicy" by then: use {$force: …} to replace it',
  );
});

test('reports nothing that has a directive or that belongs to a new container', () => {
  const overlay = {
    spec: {
      dnsPolicy: { $force: 'Default' },
      restartPolicy: null,
      terminationGracePeriodSeconds: { $atLeast: 60 },
      containers: [{ name: 'sidecar', image: 'x', imagePullPolicy: 'Always' }, { $absent: { name: 'a' } }],
    },
  };
  expect(found(overlay)).toEqual([]);
});

test('reports fields of workloads', () => {
  const template = { spec: { restartPolicy: 'Always', enableServiceLinks: false } };
  expect(found({ spec: { replicas: 2, strategy: { type: 'Recreate' }, template } }, 'Deployment')).toEqual([
    'spec.replicas',
    'spec.strategy',
    'spec.template.spec.restartPolicy',
  ]);
  expect(found({ spec: { strategy: { type: { $force: 'Recreate' } } } }, 'Deployment')).toEqual([]);
  expect(found({ spec: { backoffLimit: 1 } }, 'Job')).toEqual(['spec.backoffLimit']);
  expect(found({ spec: { jobTemplate: { spec: { backoffLimit: 1 } } } }, 'CronJob')).toEqual([]);
});

/** Both lists of defaults: what the API server sets in an object without any settings is what is reported, and nothing else. */
test.each([
  'Pod',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
  'Service',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'HorizontalPodAutoscaler',
  'NetworkPolicy',
  'ConfigMap',
  'Secret',
])('reports exactly the fields that the API server sets in every %s', (kind) => {
  const apiVersion = apiVersionOf(builtin(kind));
  const type = kindType(apiVersion, kind) as Struct;
  const spec = typeAt(type, ['spec']);
  const stored = withDefaults({
    apiVersion,
    kind,
    metadata: { name: 'a' },
    spec: {},
  }) as unknown as JsonObject;
  const setIn = (object: JsonObject, without: readonly string[]) =>
    Object.keys(object).filter((key) => !without.includes(key) && !isEmptyMap(object[key]));
  const expected = [
    ...setIn(stored, ['apiVersion', 'kind', 'metadata', 'spec', 'status']),
    ...setIn(stored.spec as JsonObject, CONDITIONAL[kind] ?? []).map((key) => `spec.${key}`),
  ];
  const probe = (each: Struct) => Object.fromEntries([...fieldsOf(each).keys()].map((key) => [key, 'x']));
  const own = spec?.type === 'struct' ? { spec: probe(spec) } : {};
  expect(found({ ...probe(type), ...own }, kind).toSorted()).toEqual(expected.toSorted());
});

/** Set only where another field is absent, too. */
const CONDITIONAL: { readonly [kind: string]: readonly string[] } = { Job: ['completions'] };

function isEmptyMap(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}
