import { expect, test } from 'vitest';
import { parseFully, parseYaml } from './rendered-yaml.ts';

// As sigs.k8s.io/yaml 1.6.0 reads them.
test.each([
  ['0644', 420],
  ['0o644', 420],
  ['-0o7', -7],
  ['0o8', '0o8'],
  ['08', 8],
  ['0b11', 3],
  ['0x1F', 31],
  ['1_000', 1000],
  ['1e3', 1000],
  ['e0', 'e0'],
  ['.5', 0.5],
  ['12:30', '12:30'],
  ['2020-01-01', '2020-01-01'],
  ['N', false],
  ['On', true],
  ['tRUE', 'tRUE'],
  ['~', null],
])('%s is %j', (text, expected) => {
  expect(parseYaml(`a: ${text}`)).toEqual({ a: expected });
  expect(parseFully(`a: ${text}`)).toEqual({ a: expected });
});
