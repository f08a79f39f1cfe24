import { tryParseJson } from '../json/try-parse-json.ts';

/** The text of one document in a stream: from its directives, comments or `---` up to the next document. */
export interface DocumentText {
  readonly text: string;
  /** The line of the stream on which the text begins, from 1. */
  readonly line: number;
}

/** Splits a stream of YAML or JSON documents without parsing it; the texts, joined, are the stream. */
export function splitDocuments(stream: string): DocumentText[] {
  let line = 1;
  return splitYaml(stream)
    .flatMap(splitJson)
    .map((text) => {
      const document = { text, line };
      line += text.split('\n').length - 1;
      return document;
    });
}

function splitYaml(stream: string): string[] {
  const texts: string[] = [];
  let start = 0;
  // Where to search for content that begins a document without `---`.
  let searched = 0;
  let hasBegun = false;
  const cut = (end: number): void => {
    texts.push(stream.slice(start, end));
    start = end;
    searched = end;
    hasBegun = false;
  };
  for (const marker of stream.matchAll(MARKER)) {
    const offset = marker.index + marker[0].length - 3;
    hasBegun ||= CONTENT.test(stream.slice(searched, offset));
    if (marker[1] === '---') {
      if (hasBegun) cut(offset);
      hasBegun = true;
    } else if (hasBegun) {
      const newline = stream.indexOf('\n', offset);
      if (newline !== -1) cut(newline + 1);
    } else searched = offset + 3;
  }
  hasBegun ||= CONTENT.test(stream.slice(searched));
  // Comments after the last `...` belong to the last document.
  const tail = hasBegun ? undefined : texts.pop();
  texts.push((tail ?? '') + stream.slice(start));
  return texts;
}

/**
 * A line that begins with `---` or `...`. It is a marker even inside a block or quoted scalar (YAML 1.2.2, 9.1.4: c-forbidden).
 * `^` with the flag `m` would also match after other line breaks than YAML's.
 */
const MARKER = /(?:^\uFEFF?|\n)(---|\.\.\.)(?=[ \t]|\r?\n|$)/g;

/** A line that is not blank, a comment or a directive. */
const CONTENT = /(?:^|\n)(?!\uFEFF?%|[^\S\n]*(?:[#\n]|$))/;

/** Splits JSON objects that follow each other, as `jq` writes them and kubectl reads them. Other text is returned whole. */
function splitJson(text: string): string[] {
  const starts = /^\s*\{/.test(text) ? objectStarts(text) : [];
  if (starts.length < 2) return [text];
  const parts = starts.map((start, index) => text.slice(index === 0 ? 0 : start, starts[index + 1]));
  return parts.every((part) => tryParseJson(part) !== undefined) ? parts : [text];
}

/** The offsets of the objects that are not inside another. */
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
