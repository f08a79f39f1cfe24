import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLastText, findText } from './find-text.ts';

// Long enough for the linear search.
const filler = 'ab'.repeat(600_000);
const fewLetters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });

test('long texts are searched with the same result as short ones', () => {
  fc.assert(
    fc.property(fewLetters, fewLetters, fc.nat(10), (head, part, from) => {
      fc.pre(part !== '');
      const text = head + filler;
      expect(findText(text, part, from)).toBe(text.indexOf(part, from));
      expect(findLastText(text, part, from)).toBe(text.lastIndexOf(part, from));
      expect(findLastText(text, part, text.length)).toBe(text.lastIndexOf(part));
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['a'.repeat(100_000), `${'a'.repeat(50_000)}b`],
  ['a'.repeat(100_000), `b${'a'.repeat(50_000)}`],
  ['a'.repeat(100_000), `${'a'.repeat(25_000)}b${'a'.repeat(25_000)}`],
])('a hostile search takes linear time', (text, part) => {
  const before = process.cpuUsage().user;
  expect(findText(text, part)).toBe(-1);
  expect(findLastText(text, part, text.length)).toBe(-1);
  expect(process.cpuUsage().user - before).toBeLessThan(200_000);
});
