import { expect, test } from 'vitest';
import { imageVersion } from './image-version.ts';

test.each([
  ['web', undefined],
  ['web:1', '1'],
  ['registry:5000/web', undefined],
  ['registry:5000/shop/web:1.2', '1.2'],
  ['web@sha256:abc', 'sha256:abc'],
  ['registry:5000/web:1.2@sha256:abc', '1.2@sha256:abc'],
  ['', undefined],
])('the version of "%s" is %s', (image, version) => {
  expect(imageVersion(image)).toBe(version);
});
