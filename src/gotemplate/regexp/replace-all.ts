import { type Match, matchesIn, type Regexp } from './compile-regexp.ts';

/** ReplaceAllString: replaces `$1`, `${1}`, `$name` and `${name}` by groups, `$$` by a dollar sign. */
export function replaceAll(regexp: Regexp, text: string, replacement: string): string {
  // The parts take more memory than the text.
  regexp.meter.spend(replacement.length >> 2);
  const parts = [...replacement.matchAll(PART)].map(([part, braced, bare]) => ({
    part,
    name: braced ?? bare,
  }));
  return replaceEach(regexp, text, (append, match) => {
    for (const { part, name } of parts)
      append(name === undefined ? part.replace('$$', '$') : match.group(name));
  });
}

/** ReplaceAllLiteralString. */
export function replaceAllLiteral(regexp: Regexp, text: string, replacement: string): string {
  return replaceEach(regexp, text, (append) => append(replacement));
}

/** Names are as long as possible: `$1x` is the group `1x`. Any other dollar sign is text. */
const PART = /\$\$|\$\{([\p{L}\p{Nd}_]+)\}|\$([\p{L}\p{Nd}_]+)|\$|[^$]+/gu;

type Append = (part: string) => void;

function replaceEach(regexp: Regexp, text: string, replace: (append: Append, match: Match) => void): string {
  let out = '';
  let reserved = 0;
  const append: Append = (part) => {
    const length = out.length + part.length;
    if (length > reserved) {
      regexp.meter.reserve(length);
      // Doubling keeps the total cost of the checks linear.
      reserved = 2 * length;
    }
    out += part;
  };
  let end = 0;
  for (const match of matchesIn(regexp, text)) {
    append(text.slice(end, match.start));
    replace(append, match);
    end = match.end;
  }
  append(text.slice(end));
  return out;
}
