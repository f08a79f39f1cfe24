import type { TemplatePlace } from './template-error.ts';
import { byteLength } from './utf8.ts';

/** Line and column of a position. Counted only when there is an error to report. */
export function placeAt(source: { name: string; text: string }, pos: number, action: string): TemplatePlace {
  const before = source.text.slice(0, pos);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line++;
  return { template: source.name, line, column: byteLength(before.slice(lineStart)), action };
}
