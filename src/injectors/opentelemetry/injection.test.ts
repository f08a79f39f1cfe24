import { expect, test } from 'vitest';
import { annotation } from './injection.ts';

test.each([
  ['', '', ''],
  ['', 'true', 'true'],
  ['', 'house', 'house'],
  ['', 'false', 'false'],
  ['true', '', 'true'],
  ['mine', '', 'mine'],
  ['false', 'true', 'false'],
  ['False', 'house', 'False'],
  ['mine', 'house', 'mine'],
  ['mine', 'false', 'mine'],
  ['true', 'false', 'true'],
  ['true', 'true', 'true'],
  ['true', 'house', 'house'],
  ['TRUE', 'ns/house', 'ns/house'],
])('"%s" on a Pod and "%s" on its Namespace mean "%s"', (pod, namespace, expected) => {
  const podAnnotations = pod === '' ? {} : { key: pod };
  expect(annotation({ podAnnotations, namespaceAnnotations: { key: namespace } }, 'key')).toBe(expected);
});
