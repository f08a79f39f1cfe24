import { MatcherInput, RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { MeteredText } from './metered-text.ts';

test('is searched like its text, and charges for it', () => {
  let spent = 0;
  const text = new MeteredText(`${'ab'.repeat(500)}c–`, { spend: (steps) => (spent += steps) });
  const pattern = RE2JS.compile('(b+)(c.)$');
  text.startSearch(pattern.programSize(), 6);
  const matcher = pattern.matcher(MatcherInput.utf16(text));
  expect(matcher.find()).toBe(true);
  expect([matcher.start(), matcher.end()]).toEqual([999, 1002]);
  expect([matcher.group(1), matcher.group(2)]).toEqual(['b', 'c–']);
  expect(spent).toBeGreaterThan(10);
});

test('is not a subclass of String, which would slow down all strings of the process', () => {
  expect(new MeteredText('text', { spend: () => {} })).not.toBeInstanceOf(String);
});
