import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { withApiDefaults } from './api-defaults.ts';

const volumesOf = (...volumes: JsonObject[]) => {
  const { spec } = withApiDefaults({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { volumes } });
  return (spec as JsonObject).volumes;
};

test('a volume without a source is an empty directory', () => {
  expect(volumesOf({ name: 'scratch' })).toEqual([{ name: 'scratch', emptyDir: {} }]);
});

test('a null source counts as absent', () => {
  expect(volumesOf({ name: 'scratch', hostPath: null })).toEqual([{ name: 'scratch', emptyDir: {} }]);
});

test('a volume keeps its source, known or unknown', () => {
  const volumes = [
    { name: 'scratch', emptyDir: { medium: 'Memory' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'tomorrow', sourceOfTomorrow: { size: 1 } },
  ];
  expect(volumesOf(...volumes)).toEqual(volumes);
});

test('files of a volume get a default mode', () => {
  expect(volumesOf({ name: 'conf', configMap: { name: 'conf' } })).toEqual([
    { name: 'conf', configMap: { defaultMode: 420, name: 'conf' } },
  ]);
});

test('an empty string stays where Go has a pointer, and is dropped elsewhere', () => {
  const container = {
    name: 'web',
    restartPolicy: '',
    imagePullPolicy: '',
    securityContext: { procMount: '' },
  };
  const spec = { containers: [container], runtimeClassName: '', hostname: '' };
  const { spec: stored } = withApiDefaults({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec });
  expect(stored).toMatchObject({
    runtimeClassName: '',
    containers: [{ restartPolicy: '', securityContext: { procMount: '' } }],
  });
  expect(stored).not.toHaveProperty('hostname');
  expect(stored).not.toHaveProperty('containers.0.imagePullPolicy', '');
});

test('an empty string stays where Go writes it always', () => {
  const spec = { containers: [{ name: 'web', volumeMounts: [{ name: '', mountPath: '' }] }] };
  const { spec: stored } = withApiDefaults({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec });
  expect(stored).toMatchObject({ containers: [{ volumeMounts: [{ name: '', mountPath: '' }] }] });
});
