import type { Meter } from './meter.ts';
import type { Value } from './values.ts';

/** Decodes JSON to values that a template may change; undefined if the text is invalid. */
export function parseJson(text: string, meter: Meter): Value {
  meter.reserve(text.length);
  try {
    return toMaps(JSON.parse(text), 0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Go allows 10,000 levels. Printing that many would overflow the stack here. */
const MOST_NESTED = 500;

function toMaps(value: unknown, depth: number): Value {
  if (typeof value !== 'object' || value === null) return value as Value;
  if (depth === MOST_NESTED) throw new SyntaxError('nested too deeply');
  if (Array.isArray(value)) return value.map((item) => toMaps(item, depth + 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, toMaps(item, depth + 1)]));
}
