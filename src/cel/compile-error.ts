import { type Issue, positionOf, renderIssues } from './syntax/issue.ts';

/** An expression that cannot be compiled. The message is what the API server prints. */
export class CelCompileError extends Error {
  override readonly name = 'CelCompileError';
  readonly expression: string;
  /** Problems with their positions; empty if a constant part always fails. A wrong type of the result is at the beginning. */
  readonly issues: readonly { readonly line: number; readonly column: number; readonly text: string }[];

  constructor(expression: string, message: string, issues: readonly Issue[] = []) {
    super(message);
    this.expression = expression;
    this.issues = issues.map(({ at, text }) => ({ ...positionOf(expression, at ?? 0), text }));
  }
}

export function issuesError(expression: string, issues: readonly Issue[]): CelCompileError {
  return new CelCompileError(expression, `compilation failed: ${renderIssues(expression, issues)}`, issues);
}

/** The position and the text of each issue; the whole message if it has no position. */
export function compileMessages({ issues, message }: CelCompileError): readonly string[] {
  if (issues.length === 0) return [message];
  return issues.map(({ line, column, text }) => `${line}:${column}: ${text}`);
}
