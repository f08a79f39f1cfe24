import { splitJson } from './split-json.ts';

/** One document of a YAML stream; the texts of all of them, joined, are the stream. */
export interface SourceDocument {
  /** From its directives, comments or `---` up to the next document's. */
  readonly text: string;
  /** Where the text begins in the stream. */
  readonly start: number;
  /** The stream's line on which the text begins, from 1. */
  readonly line: number;
}

/** Cuts a stream into documents, of YAML or of JSON, without parsing it. */
export function splitDocuments(stream: string): SourceDocument[] {
  return splitYaml(stream).flatMap((document) => {
    let { start, line } = document;
    return splitJson(document.text).map((text) => {
      const part = { text, start, line };
      start += text.length;
      line += text.split('\n').length - 1;
      return part;
    });
  });
}

/**
 * A line that begins with `---` or `...` is a marker wherever it stands, also inside block and quoted scalars (YAML 1.2.2,
 * 9.1.4: c-forbidden).
 */
function splitYaml(stream: string): SourceDocument[] {
  const documents: SourceDocument[] = [];
  let start = 0;
  let line = 1;
  let lineNumber = 0;
  let begun = false;
  const cut = (end: number): void => {
    documents.push({ text: stream.slice(start, end), start, line });
    start = end;
    line = lineNumber;
    begun = false;
  };
  // The first line after `...`, where the next document begins if there is one.
  let ended = false;
  for (const { offset, text } of lines(stream)) {
    lineNumber += 1;
    if (ended) {
      cut(offset);
      ended = false;
    }
    if (text.startsWith('---') && isMarker(text)) {
      if (begun) cut(offset);
      begun = true;
    } else if (text.startsWith('...') && isMarker(text)) {
      ended = begun;
    } else if (!begun) {
      begun = !/^\s*(#|$)|^%/.test(text);
    }
  }
  if (documents.length > 0 && !begun) {
    // What follows the last `...` says nothing of its own.
    const last = documents.pop();
    if (last !== undefined) documents.push({ ...last, text: stream.slice(last.start) });
  } else {
    cut(stream.length);
  }
  return documents;
}

function isMarker(line: string): boolean {
  return line.length === 3 || line[3] === ' ' || line[3] === '\t';
}

function* lines(stream: string): Generator<{ offset: number; text: string }> {
  let offset = 0;
  while (offset < stream.length) {
    const newline = stream.indexOf('\n', offset);
    const next = newline === -1 ? stream.length : newline + 1;
    const text = stream.slice(offset, next).replace(/\r?\n$/, '');
    yield { offset, text: offset === 0 ? text.replace(/^\uFEFF/, '') : text };
    offset = next;
  }
}
