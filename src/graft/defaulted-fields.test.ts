import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { builtin } from '../kube/resource.ts';
import { defaultedFields } from './defaulted-fields.ts';

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
