/** Every escape of JSON is one of CEL. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  return json.includes('\\') || text.includes("'") ? json : `'${text}'`;
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const RESERVED = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
);

export function hasField(object: string, key: string): string {
  return isName(key) ? `has(${object}.${key})` : `${quoted(key)} in ${object}`;
}

export function fieldOf(object: string, key: string): string {
  return isName(key) ? `${object}.${key}` : `${object}[${quoted(key)}]`;
}

function isName(key: string): boolean {
  return NAME.test(key) && !RESERVED.has(key);
}

/** A pattern such as `team-*` for `matches`. Texts may have several lines: admission precedes validation. */
export function patternText(patterns: readonly string[]): string {
  const alternatives = patterns.map((pattern) =>
    pattern
      .split('*')
      .map((piece) => piece.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*'),
  );
  return quoted(`(?s)^(${alternatives.join('|')})$`);
}
