import { unquote } from '../golang/strconv.ts';
import { type Token, tokenName } from './lex.ts';
import { placeAt, TemplateError } from './template-error.ts';

export interface Source {
  readonly name: string;
  readonly text: string;
  readonly hasFunction: (name: string) => boolean;
}

/** The state of the parser. */
export interface Parser {
  readonly source: Source;
  readonly tokens: readonly Token[];
  next: number;
  /** The last token that was looked at. Errors report its line, as Go's do. */
  furthest: number;
  scope: { variables: string[]; ranges: number };
  action: Token | undefined;
  depth: number;
}

// The parser recurses for nested constructs and must not reach JavaScript's stack limit.
const MAX_NESTING = 500;

export function nested<T>(parser: Parser, parsePart: () => T): T {
  if (parser.depth >= MAX_NESTING) fail(parser, 'max expression depth exceeded');
  parser.depth++;
  const part = parsePart();
  parser.depth--;
  return part;
}

export function fail(parser: Parser, reason: string): never {
  const { source, tokens, furthest, action } = parser;
  const token = tokens[furthest] ?? { pos: source.text.length };
  const place = placeAt(source, token.pos, actionText(source.text, action?.pos ?? token.pos));
  const message = `template: ${place.template}:${place.line}:${place.column}: parsing at <${place.action}>: ${reason}`;
  throw new TemplateError('parse', place, message, reason);
}

function actionText(text: string, pos: number): string {
  const end = text.indexOf('}}', pos);
  const line = text.indexOf('\n', pos);
  const whole = text.slice(pos, end >= 0 ? end + 2 : line >= 0 ? line : undefined);
  return whole.length > 120 ? `${whole.slice(0, 117)}...` : whole;
}

export function take(parser: Parser): Token {
  const token = peek(parser);
  if (parser.next < parser.tokens.length - 1) parser.next++;
  return token;
}

export function peek(parser: Parser): Token {
  parser.furthest = Math.max(parser.furthest, parser.next);
  return parser.tokens[parser.next] ?? { type: 'eof', text: 'EOF', pos: parser.source.text.length };
}

export function peekNonSpace(parser: Parser): Token {
  while (peek(parser).type === 'space') parser.next++;
  return peek(parser);
}

export function takeNonSpace(parser: Parser): Token {
  peekNonSpace(parser);
  return take(parser);
}

export function isKeyword(token: Token, word: string): boolean {
  return token.type === 'keyword' && token.text === word;
}

export function unexpected(parser: Parser, token: Token, context: string): never {
  if (token.type !== 'error') return fail(parser, `unexpected ${tokenName(token)} in ${context}`);
  const { action, source } = parser;
  if (action === undefined) return fail(parser, token.text);
  const started = placeAt(source, action.pos, '').line;
  if (started === placeAt(source, token.pos, '').line) return fail(parser, token.text);
  const where = `started at ${source.name}:${started}`;
  return fail(parser, `${token.text} ${token.text.endsWith(' action') ? where : `in action ${where}`}`);
}

export function expect(parser: Parser, types: readonly string[], context: string): Token {
  const token = takeNonSpace(parser);
  return types.includes(token.type) ? token : unexpected(parser, token, context);
}

export function stringValue(parser: Parser, token: Token): string {
  return unquote(token.text) ?? fail(parser, 'invalid syntax');
}
