import { expect, test } from 'vitest';
import { jsonText, notesOn, stable } from './stable.ts';

test('all parts of a stable value are stable', () => {
  const value = stable({ list: [{ name: 'a' }], text: 'x', nothing: null });
  expect([value, value.list, value.list[0]].every((part) => notesOn(part as object) !== undefined)).toBe(
    true,
  );
  expect(notesOn({ name: 'a' })).toBeUndefined();
});

test('what is stable is written once', () => {
  let written = 0;
  const value = stable({
    toJSON: () => {
      written++;
      return 'x';
    },
  });
  expect([jsonText(value as never), jsonText(value as never)]).toEqual(['"x"', '"x"']);
  expect(written).toBe(1);
});

test.each([
  null,
  true,
  -1.5e-7,
  '"\\\u0000\u2028é',
  [],
  {},
  [null, [], ['a', { b: [1] }]],
  [stable({ name: '"' }), 'x'],
  { a: [stable({ b: 1 })] },
])('%j is written as JSON.stringify would', (value) => {
  expect(jsonText(value)).toBe(JSON.stringify(value));
});
