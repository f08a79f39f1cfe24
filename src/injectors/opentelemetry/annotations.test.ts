import { expect, test } from 'vitest';
import { effectiveValue } from './annotations.ts';

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
])('a Pod that says "%s" in a Namespace that says "%s" means "%s"', (pod, namespace, expected) => {
  expect(effectiveValue('key', pod === '' ? {} : { key: pod }, { key: namespace })).toBe(expected);
});
