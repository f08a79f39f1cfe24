import { isJsonArray, type Json } from './json.ts';

/** What was found out about a value that is given again and again. */
export interface Notes {
  /** As JSON, once somebody has asked for it. */
  text: string | undefined;
  /** What a reader made of it, and under which rules. */
  reading: { readonly rules: object; readonly result: unknown } | undefined;
}

/**
 * Says of a value that it is made once, never changes and is given many times: what the configuration holds, or what follows
 * from it. All its parts are then looked through once and written as JSON once, and not for every object anew.
 */
export function stable<T>(value: T): T {
  if (typeof value !== 'object' || value === null || known.has(value)) return value;
  known.set(value, { text: undefined, reading: undefined });
  for (const part of Object.values(value)) stable(part);
  return value;
}

const known = new WeakMap<object, Notes>();

/** Undefined where nobody said that the value is stable. */
export function notesOn(value: object): Notes | undefined {
  return known.get(value);
}

/** JSON.stringify, which remembers what it wrote for stable values. */
export function jsonText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const notes = known.get(value);
  if (notes === undefined) return isJsonArray(value) ? listText(value) : JSON.stringify(value);
  notes.text ??= JSON.stringify(value);
  return notes.text;
}

/** A list is often made for the occasion, of items that are not. */
function listText(list: readonly Json[]): string {
  let text = '';
  for (const item of list) text += `${text === '' ? '[' : ','}${jsonText(item ?? null)}`;
  return text === '' ? '[]' : `${text}]`;
}
