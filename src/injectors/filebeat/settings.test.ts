import { expect, test } from 'vitest';
import { filebeat } from './filebeat.ts';

test.each([
  [{ imagee: 'x' }, 'imagee: unknown key "imagee"'],
  [
    { logPath: 'logs/*.log' },
    'logPath: expected absolute paths, but "logs/*.log" is relative, found "logs/*.log"',
  ],
  [{ configMap: 'No_Name' }, 'configMap: expected a ConfigMap name'],
  [{ worker: 0 }, 'worker: '],
  [{ resources: { limits: { cpu: 'lots' } } }, 'resources.limits.cpu: expected a quantity'],
  [{ resources: { requests: { cpu: '1' } } }, 'the cpu limit "100m" is less than the cpu request "1"'],
  [{ lifecycle: { httpget: { port: 0 } } }, 'lifecycle.httpget.port: expected a port number'],
  [{ kubernetesVersion: 1.3 }, 'kubernetesVersion: expected string, found 1.3'],
  [{ kubernetesVersion: 'new' }, 'kubernetesVersion: expected a version such as "1.33"'],
  [{ annotationPrefix: 'a b' }, 'annotationPrefix: expected a prefix of annotation keys'],
  [{ envFrom: [{ secret: 'x' }] }, 'envFrom.0.secret: unknown key "secret"'],
  [{ allowed: { image: [] } }, 'allowed.image: unknown key "image", did you mean "images"?'],
  [{ allowed: { images: [''] } }, 'allowed.images.0: must not be empty'],
  [{ allowed: { maxResources: { cpu: 'lots' } } }, 'allowed.maxResources.cpu: expected a quantity'],
])('%j is rejected: %s', (raw, message) => {
  expect(() => filebeat.config?.(raw)).toThrow(message);
});

test.each([
  ['1.29', 29],
  ['v1.30.2', 30],
  ['1.33-eks-1', 33],
])('version %s is parsed to its minor version %i', (kubernetesVersion, minor) => {
  expect(filebeat.config?.({ kubernetesVersion })).toMatchObject({ kubernetesVersion: minor });
});
