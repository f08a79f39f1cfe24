import { expect, test } from 'vitest';
import { OVERRIDES, STATUS } from '../names.ts';
import { forbiddenAnnotations } from './forbidden-annotations.ts';

const patterns = ['sidecar.istio.io/proxyImage', 'sidecar.istio.io/userVolume*', 'proxy.istio.io/*'];

test('names the annotations and the setting', () => {
  const annotations = { 'sidecar.istio.io/userVolumeMount': '{}', 'proxy.istio.io/config': '', other: '' };
  expect(forbiddenAnnotations(annotations, patterns)).toBe(
    'Cannot inject: annotation "sidecar.istio.io/userVolumeMount", "proxy.istio.io/config" is not allowed (setting "forbiddenAnnotations")',
  );
});

test('other annotations are allowed, and so are the records of an earlier injection', () => {
  const annotations = { [STATUS]: '{}', [OVERRIDES]: '{}', 'sidecar.istio.io/proxyCPU': '1' };
  expect(forbiddenAnnotations(annotations, patterns)).toBeUndefined();
  expect(forbiddenAnnotations({ 'proxy.istio.io/config': '' }, [])).toBeUndefined();
});
