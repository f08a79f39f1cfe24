import { expect, test } from 'vitest';
import { closest } from './closest.ts';

test.each([
  ['paht', 'path'],
  ['sepc', 'spec'],
  ['imagee', 'image'],
  ['pot', 'port'],
  ['terminationGracePeriodSecond', 'terminationGracePeriodSeconds'],
])('finds what %s was meant to be', (word, meant) => {
  const candidates = ['path', 'spec', 'image', 'port', 'scheme', 'terminationGracePeriodSeconds'];
  expect(closest(word, candidates)).toBe(meant);
});

test('finds nothing that is too different', () => {
  expect(closest('htap', ['path'])).toBeUndefined();
  expect(closest('x'.repeat(1000), ['path'])).toBeUndefined();
});
