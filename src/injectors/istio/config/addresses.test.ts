import { describe, expect, test } from 'vitest';
import { isCidr } from './addresses.ts';

describe('isCidr', () => {
  test.each(['10.0.0.0/8', '0.0.0.0/0', '::/0', 'fd00::/8', '1:2:3:4:5:6:7:8/128', '::ffff:10.0.0.1/96'])(
    'accepts %s',
    (text) => {
      expect(isCidr(text)).toBe(true);
    },
  );

  test.each([
    '',
    '*',
    '10.0.0.1',
    '10.0.0.0/33',
    '10.0.0/8',
    '010.0.0.0/8',
    '256.0.0.0/8',
    '1::2::3/8',
    ':1/8',
    '1:2:3:4:5:6:7/8',
    '::/129',
    ' 10.0.0.0/8',
    '10.0.0.0/08',
  ])('rejects "%s"', (text) => {
    expect(isCidr(text)).toBe(false);
  });
});
