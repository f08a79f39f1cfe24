import { isCollection } from 'yaml';
import type { Patch } from '../json/operation.ts';
import { editInside } from './block-text.ts';
import { type Draft, draftPatch } from './draft.ts';
import { columnOf, endOf, lineStart, startsLine } from './layout.ts';
import { renderLines } from './render-block.ts';
import type { Edit, Sheet } from './sheet.ts';
import type { Source } from './source.ts';
import { styleOf } from './style.ts';
import { toNode } from './to-node.ts';
import { Unspliceable } from './unspliceable.ts';

/** A document's text with a patch applied, and nothing else changed. */
export function spliceInPlace(source: Source, patch: Patch): string {
  const { text } = source;
  const sheet = { ...source, style: styleOf(source) };
  const draft = draftPatch(source, patch);
  const edit = editInside(sheet, draft, undefined) ?? editRoot(sheet, draft);
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

/** Puts another root in the place of the old one. */
function editRoot({ document, text, style }: Sheet, draft: Draft): Edit {
  const token = document.contents?.srcToken;
  if (token === undefined || token.type === 'block-scalar') throw new Unspliceable('no root to write over');
  const bare = draft.kind === 'fresh' || draft.kind === 'kept' ? draft : { ...draft, origin: undefined };
  const node = toNode(document, bare);
  const lines = renderLines(node, 0, style).join(style.eol);
  const start = token.offset;
  // Behind a `---` there is no room for a block.
  const below = isCollection(node) && !startsLine(text, start) ? style.eol : '';
  const indented = columnOf(text, start) > 0 && below === '' && startsLine(text, start);
  return { start: indented ? lineStart(text, start) : start, end: endOf(token), text: below + lines };
}
