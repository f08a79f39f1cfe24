import { expect, test } from 'vitest';
import { filebeat } from './filebeat.ts';

test.each([
  [{ imagee: 'x' }, 'imagee: unknown key "imagee"'],
  [
    { logPath: 'logs/*.log' },
    'logPath: expected absolute paths, but "logs/*.log" is relative, found "logs/*.log"',
  ],
  [{ configMap: 'No_Name' }, 'configMap: expected the name of a ConfigMap'],
  [{ worker: 0 }, 'worker: '],
  [{ resources: { limits: { cpu: 'lots' } } }, 'resources.limits.cpu: expected a quantity'],
  [{ resources: { requests: { cpu: '1' } } }, 'the cpu limit "100m" is less than the cpu request "1"'],
  [{ lifecycle: { httpget: { port: 0 } } }, 'lifecycle.httpget.port: expected a port number'],
  [{ kubernetesVersion: 1.3 }, 'kubernetesVersion: expected string, found 1.3'],
  [{ kubernetesVersion: 'new' }, 'kubernetesVersion: expected a version such as "1.33"'],
  [{ annotationPrefix: 'a b' }, 'annotationPrefix: expected how the keys of the annotations begin'],
  [{ envFrom: [{ secret: 'x' }] }, 'envFrom.0.secret: unknown key "secret"'],
])('%j is refused', (raw, message) => {
  expect(() => filebeat.config?.(raw)).toThrow(message);
});

test.each([
  ['1.29', 29],
  ['v1.30.2', 30],
  ['1.33-eks-1', 33],
])('the version %s is read', (kubernetesVersion, minor) => {
  expect(filebeat.config?.({ kubernetesVersion })).toMatchObject({ kubernetesVersion: minor });
});
