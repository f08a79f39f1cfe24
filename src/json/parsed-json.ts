import type { Json } from './json.ts';

/** What a text says as JSON; undefined where it is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
