import { expect, test } from 'vitest';
import { protoDuration } from './go-duration.ts';

test.each([
  ['5s', '5s'],
  ['1m', '60s'],
  ['100ms', '0.100s'],
  ['1h2m3.5s', '3723.500s'],
  ['-1.5h', '-5400s'],
  ['+10us', '0.000010s'],
  ['3µs', '0.000003s'],
  ['1ns', '0.000000001s'],
  ['.5s', '0.500s'],
  ['5.s', '5s'],
  ['0', '0s'],
  ['-0', '0s'],
  ['0.9ns', '0s'],
])('%s is %s', (text, expected) => {
  expect(protoDuration(text)).toBe(expected);
});

test.each([
  '',
  '5',
  's',
  '.s',
  '5 s',
  '1d',
  '5S',
  '--1s',
  '1m ',
  '9999999h',
  '1e3s',
  '1constructor',
  '9'.repeat(999),
])('"%s" is not a duration', (text) => {
  expect(protoDuration(text)).toBeUndefined();
});
