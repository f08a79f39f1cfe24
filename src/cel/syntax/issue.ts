/** One thing wrong with an expression. `at` is an offset into the source; undefined if it concerns the whole. */
export interface Issue {
  readonly at: number | undefined;
  readonly text: string;
}

/** The issues in order of position, as the API server prints them. */
export function renderIssues(source: string, issues: readonly Issue[]): string {
  const sorted = issues.toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1));
  const shown = sorted.slice(0, MAX_ISSUES).map((issue) => render(source, issue));
  if (sorted.length > MAX_ISSUES) shown.push(`${sorted.length - MAX_ISSUES} more errors were truncated`);
  return shown.join('\n');
}

/** Line and column, counted from 1; the column in code points. */
export function positionOf(source: string, at: number): { line: number; column: number } {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  const line = source.slice(0, lineStart).split('\n').length;
  return { line, column: [...source.slice(lineStart, at)].length + 1 };
}

function render(source: string, issue: Issue): string {
  if (issue.at === undefined) return `ERROR: <input>:-1:0: ${issue.text}`;
  // An empty source has no line to point into.
  if (source === '') return `ERROR: <input>:1:0: ${issue.text}`;
  const { line, column } = positionOf(source, issue.at);
  const head = `ERROR: <input>:${line}:${column}: ${issue.text}`;
  const text = (source.split('\n')[line - 1] ?? '').replaceAll('\t', ' ');
  if (text.length > MAX_SNIPPET) return head;
  const characters = [...text];
  const dots = characters.slice(0, column - 1).map((char) => (isWide(char) ? '．' : '.'));
  return `${head}\n | ${text}\n | ${dots.join('')}${isWide(characters[column - 1]) ? '＾' : '^'}`;
}

function isWide(char: string | undefined): boolean {
  return char !== undefined && char > '\x7f';
}

const MAX_ISSUES = 100;
const MAX_SNIPPET = 16_384;
