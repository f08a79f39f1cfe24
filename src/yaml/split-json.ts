import { parsedJson } from '../json/parsed-json.ts';

/**
 * Cuts a text into the JSON objects that stand in it one after the other, as `jq` writes them and kubectl reads them. Any other
 * text is returned whole.
 */
export function splitJson(text: string): string[] {
  const starts = /^\s*\{/.test(text) ? objectStarts(text) : [];
  if (starts.length < 2) return [text];
  const parts = starts.map((start, index) => text.slice(index === 0 ? 0 : start, starts[index + 1]));
  return parts.every((part) => parsedJson(part) !== undefined) ? parts : [text];
}

/** Where an object begins that is in no other. */
function objectStarts(text: string): number[] {
  const starts: number[] = [];
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{' && depth++ === 0) starts.push(index);
    else if (character === '}') depth--;
  }
  return starts;
}
