import { type Tokens, tokensOf } from './directive.ts';

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
