import type { Meter } from './meter.ts';
import type { Value } from './values.ts';

/** Decoded JSON as a template may change it; undefined if the text is not JSON. */
export function parseJson(text: string, meter: Meter): Value {
  meter.reserve(text.length);
  try {
    return toMaps(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toMaps(value: unknown): Value {
  if (Array.isArray(value)) return value.map(toMaps);
  if (typeof value !== 'object' || value === null) return value as Value;
  return new Map(Object.entries(value).map(([key, item]) => [key, toMaps(item)]));
}
