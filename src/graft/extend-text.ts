import type { Json } from '../json/json.ts';
import { type Tokens, tokensOf } from './directive.ts';
import type { PatchWriter } from './patch-writer.ts';

/** A text with all parts of `$tokens`; undefined if there is neither a text nor a part. */
export function extended(found: Json | undefined, wanted: Tokens, writer: PatchWriter): Json | undefined {
  if (found !== undefined && found !== null && typeof found !== 'string') {
    writer.keep(found, wanted);
    return found;
  }
  const text = withTokens(found ?? '', wanted);
  if (text === (found ?? '')) return found;
  writer.set(found, text);
  return text;
}

/** A text with the parts that it lacks. */
export function withTokens(found: string, wanted: Tokens): string {
  const { separator, parts } = tokensOf(wanted);
  let text = found;
  for (const part of parts) {
    if (hasToken(text, part, separator)) continue;
    text = text === '' ? part : text.endsWith(separator) ? text + part : text + separator + part;
  }
  return text;
}

/** A part may contain the separator (`--require /a.js`), so the text is searched, not split. */
function hasToken(text: string, part: string, separator: string): boolean {
  return (separator + text + separator).includes(separator + part + separator);
}
