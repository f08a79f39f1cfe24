import type { Json } from '../json/json.ts';

const LONGEST = 60;

/** A value for people: as JSON, cut if it is long. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
