import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const shown = (before: string, after: string) =>
  lineDiff(before, after).map(({ sign, line }) => `${sign}${line}`);

it('marks added, removed and unchanged lines', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([' a', '-b', '+x', ' c', '+d']);
});

it('finds the shortest difference', () => {
  expect(
    shown('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter((line) => !line.startsWith(' ')),
  ).toHaveLength(5);
});

it('replaces texts that have little in common as a whole', () => {
  const text = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join('\n');
  const diff = lineDiff(text('old'), text('new'));
  expect(diff.slice(0, 3000).every(({ sign }) => sign === '-')).toBe(true);
  expect(diff).toHaveLength(6000);
});

it('contains both texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = lineDiff(
        before.map((line) => `${line}\n`).join(''),
        after.map((line) => `${line}\n`).join(''),
      );
      const without = (sign: string) => diff.filter((each) => each.sign !== sign).map(({ line }) => line);
      expect(without('+')).toEqual(before);
      expect(without('-')).toEqual(after);
    }),
    { numRuns: 500 },
  );
});
