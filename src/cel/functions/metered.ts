import { spendWork } from '../work.ts';

/** Parses a text, and counts the work. Such functions take about a microsecond, which their CEL costs do not reflect. */
export function metered<T>(parse: (text: string) => T, text: string): T {
  spendWork(300 + text.length);
  return parse(text);
}
