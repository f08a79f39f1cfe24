import type { Json } from '../../json/json.ts';

/** Undefined for what is no JSON. The runtime's own error is dropped: it quotes the text, which may be a Secret's. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
