import type { Expression } from './ast.ts';
import type { Issue } from './issue.ts';
import type { Token, TokenKind } from './lexer.ts';

/** The parser's position in the tokens, and the issues found so far. */
export class Cursor {
  readonly issues: Issue[];
  private readonly tokens: readonly Token[];
  private position = 0;
  private depth = 0;

  constructor(tokens: readonly Token[], issues: readonly Issue[]) {
    this.tokens = tokens;
    this.issues = [...issues];
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.position + ahead, this.tokens.length - 1)] ?? END;
  }

  next(): Token {
    const token = this.peek();
    this.position++;
    return token;
  }

  /** Whether the next token is this symbol or keyword. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'symbol' || token.kind === 'name');
  }

  isKind(kind: TokenKind, ahead = 0): boolean {
    return this.peek(ahead).kind === kind;
  }

  /** Takes the next token if it is this symbol or keyword. */
  take(text: string): Token | undefined {
    return this.is(text) ? this.next() : undefined;
  }

  expect(text: string): Token {
    return this.take(text) ?? this.unexpected(`'${text}'`);
  }

  unexpected(wanted: string): never {
    const token = this.peek();
    throw new SyntaxFailure({
      at: token.at,
      text: `Syntax error: mismatched input '${token.text}' expecting ${wanted}`,
    });
  }

  /** Reports an issue and continues with a placeholder. */
  report(at: number, text: string): Expression {
    this.issues.push({ at, text });
    return { kind: 'name', at, name: '' };
  }

  /** Guards one level of recursion of the grammar. */
  nest<T>(parse: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      throw new SyntaxFailure({ at: undefined, text: `expression recursion limit exceeded: ${MAX_DEPTH}` });
    }
    const result = parse();
    this.depth--;
    return result;
  }
}

/** Ends parsing. */
export class SyntaxFailure extends Error {
  readonly issue: Issue;

  constructor(issue: Issue) {
    super(issue.text);
    this.issue = issue;
  }
}

export const MAX_DEPTH = 250;

const END: Token = { kind: 'end', text: '<EOF>', at: 0 };
