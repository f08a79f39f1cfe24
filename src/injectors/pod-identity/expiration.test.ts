import { expect, test } from 'vitest';
import { parseExpiration, spread } from './expiration.ts';

test.each([
  ['3600', 3600],
  ['+3600', 3600],
  ['0000000000000000000000003600', 3600],
  ['599', 600],
  ['-5', 600],
  ['9223372036854775807', 4294967296],
])('%s is parsed to %i seconds, within the limits of the API server', (text, seconds) => {
  expect(parseExpiration(text)).toBe(seconds);
});

test.each([undefined, '', '1h', '3.5', ' 3600', '0x10', '1_000', '9223372036854775808'])(
  '%s is not a number of seconds',
  (text) => {
    expect(parseExpiration(text)).toBeUndefined();
  },
);

test('only the default lifetime is spread, over the two hours below it', () => {
  const values = Array.from({ length: 20_000 }, (_, seed) => spread(86_400, `default/reports/${seed}`));
  expect(Math.min(...values)).toBeGreaterThanOrEqual(79_200);
  expect(Math.max(...values)).toBeLessThanOrEqual(86_400);
  expect(new Set(values).size).toBeGreaterThan(6000);
  expect(spread(86_399, 'default/reports')).toBe(86_399);
});

test('the lifetime depends on the seed alone', () => {
  expect(spread(86_400, 'default/reports/1')).toBe(spread(86_400, 'default/reports/1'));
});
