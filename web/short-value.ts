import type { Json } from '../src/json/json.ts';

/** On one line, for people. */
export function shortValue(value: Json, length = 60): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
