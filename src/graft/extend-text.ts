import type { Json } from '../json/json.ts';
import type { Tokens } from './directive.ts';
import type { PatchWriter } from './patch-writer.ts';
import { withTokens } from './with-tokens.ts';

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
