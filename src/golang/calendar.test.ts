import fc from 'fast-check';
import { expect, test } from 'vitest';
import { civilToSeconds, daysInMonth, secondsToCivil } from './calendar.ts';

test('seconds are converted to calendar dates as in JavaScript', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_200_000_000, max: 253_500_000_000 }), (seconds) => {
      const date = new Date(seconds * 1000);
      const civil = secondsToCivil(seconds);
      expect(civil).toEqual({
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
      });
      expect(civilToSeconds(civil)).toBe(seconds);
    }),
  );
});

test.each([
  [2024, 2, 29],
  [2100, 2, 28],
  [2000, 2, 29],
  [2026, 12, 31],
  [2026, 4, 30],
])('%i-%i has %i days', (year, month, days) => {
  expect(daysInMonth(year, month)).toBe(days);
});
