import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import { createEnvironment } from './environment.ts';
import { STRING } from './types.ts';

test("a function's refusal of too much work cannot be absorbed, and uses up an expression's share of the budget", () => {
  const environment = createEnvironment({ variables: { text: STRING } });
  const program = compile("text.replace('', text) == '' || true", environment);
  const budget = { remaining: 10_000_000 };
  expect(program.evaluate({ text: 'a' })).toBe(true);
  expect(() => program.evaluate({ text: 'a'.repeat(10_000) }, budget)).toThrow(
    'operation cancelled: actual cost limit exceeded',
  );
  expect(budget.remaining).toBe(8_999_999);
});
