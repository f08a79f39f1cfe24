import { expect, test } from 'vitest';
import { codePointIndex, textSize, unitOffset } from './code-points.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['a😀b', 3],
])('the size of %j is %i', (text, size) => {
  expect(textSize(text)).toBe(size);
});

test.each([
  ['abc', 0n, 0],
  ['abc', 3n, 3],
  ['abc', 4n, undefined],
  ['abc', -1n, undefined],
  ['😀b', 1n, 2],
  ['😀b', 2n, 3],
  ['😀b', 3n, undefined],
  ['abc', 2n ** 62n, undefined],
])('code point %s.%i begins at unit %s', (text, index, offset) => {
  expect(unitOffset(text, index)).toBe(offset);
  if (offset !== undefined) expect(codePointIndex(text, offset)).toBe(Number(index));
});
