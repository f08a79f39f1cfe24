import { Document } from 'yaml';
import type { Draft } from './draft.ts';
import { stringify, WRITE_OPTIONS } from './scalar-text.ts';
import type { Sheet } from './sheet.ts';
import { toNode } from './to-node.ts';

/** Prints a whole document anew: comments stay, their layout may not. For text that cannot be edited in place. */
export function rebuildDocument({ document, style, text }: Sheet, draft: Draft): string {
  const next = new Document(toNode(document, draft), WRITE_OPTIONS);
  next.commentBefore = document.commentBefore;
  next.comment = document.comment;
  if (document.directives.docStart === true && next.directives !== undefined) next.directives.docStart = true;
  const printed = stringify(next, style).replaceAll('\n', style.eol);
  return text.endsWith('\n') ? printed : printed.replace(/\r?\n$/, '');
}
