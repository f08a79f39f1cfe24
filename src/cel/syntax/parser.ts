import type { Expression, List, MapLiteral, Struct } from './ast.ts';
import { Cursor, SyntaxFailure } from './cursor.ts';
import type { Issue } from './issue.ts';
import { lex } from './lexer.ts';
import { checkDepth } from './limit-depth.ts';
import { expandCall, expandMethod } from './macros.ts';
import { parseLiteral } from './parse-literal.ts';

/** Parses an expression and expands its macros. */
export function parse(source: string): { expression: Expression } | { issues: readonly Issue[] } {
  const size = source.length > MAX_SIZE ? [...source].length : source.length;
  if (size > MAX_SIZE) {
    const text = `expression code point size exceeds limit: size: ${size}, limit ${MAX_SIZE}`;
    return { issues: [{ at: undefined, text }] };
  }
  const { tokens, issues } = lex(source);
  const cursor = new Cursor(tokens, issues);
  try {
    const expression = parseExpression(cursor);
    if (!cursor.isKind('end')) cursor.unexpected('<EOF>');
    if (cursor.issues.length > 0) return { issues: cursor.issues };
    checkDepth(expression);
    return { expression };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    return { issues: [...cursor.issues, error.issue] };
  }
}

const MAX_SIZE = 100_000;

function parseExpression(cursor: Cursor): Expression {
  return cursor.nest(() => {
    const condition = parseOr(cursor);
    const operator = cursor.take('?');
    if (operator === undefined) return condition;
    const truthy = parseOr(cursor);
    cursor.expect(':');
    const falsy = parseExpression(cursor);
    return call(operator.at, '_?_:_', condition, truthy, falsy);
  });
}

function parseOr(cursor: Cursor): Expression {
  return parseLogic(cursor, '||', () => parseLogic(cursor, '&&', () => parseRelation(cursor)));
}

function parseLogic(cursor: Cursor, operator: '&&' | '||', parseTerm: () => Expression): Expression {
  const first = parseTerm();
  if (!cursor.is(operator)) return first;
  const terms = [first];
  const { at } = cursor.peek();
  while (cursor.take(operator)) terms.push(parseTerm());
  return { kind: 'logic', at, operator, terms };
}

function parseRelation(cursor: Cursor): Expression {
  return parseBinary(cursor, RELATIONS, () =>
    parseBinary(cursor, SUMS, () => parseBinary(cursor, PRODUCTS, () => parseUnary(cursor))),
  );
}

function parseBinary(
  cursor: Cursor,
  operators: ReadonlyMap<string, string>,
  parseOperand: () => Expression,
): Expression {
  let left = parseOperand();
  for (;;) {
    const token = cursor.peek();
    const name = token.kind === 'symbol' || token.text === 'in' ? operators.get(token.text) : undefined;
    if (name === undefined) return left;
    cursor.next();
    left = call(token.at, name, left, parseOperand());
  }
}

const RELATIONS: ReadonlyMap<string, string> = new Map([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);
const SUMS: ReadonlyMap<string, string> = new Map([
  ['+', '_+_'],
  ['-', '_-_'],
]);
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);

/** An even number of signs has no effect. A single minus belongs to the number that follows it. */
function parseUnary(cursor: Cursor): Expression {
  const { text, at } = cursor.peek();
  if (!cursor.is('!') && !cursor.is('-')) return parseMember(cursor);
  if (text === '-' && (cursor.isKind('int', 1) || cursor.isKind('double', 1))) return parseMember(cursor);
  let count = 0;
  while (cursor.take(text)) count++;
  const operand = parseMember(cursor);
  return count % 2 === 0 ? operand : call(at, text === '!' ? '!_' : '-_', operand);
}

function parseMember(cursor: Cursor): Expression {
  let operand = parsePrimary(cursor);
  for (;;) {
    const dot = cursor.take('.');
    if (dot !== undefined) operand = parseSelection(cursor, operand, dot.at);
    else if (cursor.is('[')) operand = parseIndex(cursor, operand);
    else return operand;
  }
}

function parseSelection(cursor: Cursor, operand: Expression, at: number): Expression {
  const mode = cursor.take('?') ? 'optional' : 'value';
  const field = cursor.peek();
  if (field.kind === 'escapedName') {
    cursor.next();
    return cursor.report(field.at, "unsupported syntax: '`'");
  }
  if (field.kind !== 'name' || KEYWORDS.has(field.text)) cursor.unexpected('IDENTIFIER');
  cursor.next();
  const open = mode === 'value' ? cursor.take('(') : undefined;
  if (open === undefined) return { kind: 'select', at, operand, field: field.text, mode };
  return expandMethod(cursor, open.at, field.text, operand, parseArguments(cursor));
}

function parseIndex(cursor: Cursor, operand: Expression): Expression {
  const { at } = cursor.next();
  const optional = cursor.take('?') !== undefined;
  const index = parseExpression(cursor);
  cursor.expect(']');
  return { kind: 'index', at, operand, index, optional };
}

function parseArguments(cursor: Cursor): Expression[] {
  const args: Expression[] = [];
  if (cursor.take(')')) return args;
  do args.push(parseExpression(cursor));
  while (cursor.take(','));
  cursor.expect(')');
  return args;
}

function parsePrimary(cursor: Cursor): Expression {
  if (cursor.is('[')) return parseList(cursor);
  if (cursor.is('{')) return parseMap(cursor);
  if (cursor.take('(')) {
    const inner = parseExpression(cursor);
    cursor.expect(')');
    return inner;
  }
  const literal = parseLiteral(cursor);
  if (literal !== undefined) return literal;
  const { at } = cursor.peek();
  const dot = cursor.take('.') === undefined ? '' : '.';
  const name = cursor.peek();
  if (name.kind !== 'name' || KEYWORDS.has(name.text)) {
    // A sign must be followed by a number.
    if (cursor.is('-')) cursor.next();
    cursor.unexpected("{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', number, string, IDENTIFIER}");
  }
  const typeName = takeTypeName(cursor);
  if (typeName !== undefined) return parseStruct(cursor, dot + typeName);
  cursor.next();
  const open = cursor.take('(');
  if (RESERVED.has(name.text)) {
    if (open !== undefined) parseArguments(cursor);
    return cursor.report(at, `reserved identifier: ${name.text}`);
  }
  if (open !== undefined) return expandCall(cursor, open.at, dot + name.text, parseArguments(cursor));
  return { kind: 'name', at: name.at, name: dot + name.text };
}

/** Takes `a.b.c` if a brace follows. */
function takeTypeName(cursor: Cursor): string | undefined {
  let length = 1;
  while (cursor.is('.', length) && cursor.isKind('name', length + 1)) length += 2;
  if (!cursor.is('{', length)) return undefined;
  let name = '';
  for (let i = 0; i < length; i++) name += cursor.next().text;
  return name;
}

function parseList(cursor: Cursor): List {
  const { at } = cursor.next();
  const elements = parseItems(cursor, ']', () => ({
    optional: cursor.take('?') !== undefined,
    value: parseExpression(cursor),
  }));
  return { kind: 'list', at, elements };
}

function parseMap(cursor: Cursor): MapLiteral {
  const { at } = cursor.next();
  const entries = parseItems(cursor, '}', () => {
    const optional = cursor.take('?') !== undefined;
    const key = parseExpression(cursor);
    cursor.expect(':');
    return { key, value: parseExpression(cursor), optional };
  });
  return { kind: 'map', at, entries };
}

function parseStruct(cursor: Cursor, typeName: string): Struct {
  const { at } = cursor.next();
  const fields = parseItems(cursor, '}', () => {
    const optional = cursor.take('?') !== undefined;
    const field = cursor.peek();
    if (field.kind === 'escapedName') cursor.report(field.at, "unsupported syntax: '`'");
    else if (field.kind !== 'name' || KEYWORDS.has(field.text)) cursor.unexpected('IDENTIFIER');
    cursor.next();
    const colon = cursor.expect(':');
    return { at: colon.at, name: field.text, value: parseExpression(cursor), optional };
  });
  return { kind: 'struct', at, typeName, fields };
}

/** Items up to the closing symbol. A comma may stand after the last one, or alone. */
function parseItems<T>(cursor: Cursor, close: string, parseItem: () => T): T[] {
  const items: T[] = [];
  if (cursor.is(',')) {
    cursor.next();
    cursor.expect(close);
    return items;
  }
  while (!cursor.take(close)) {
    items.push(parseItem());
    if (!cursor.take(',')) {
      cursor.expect(close);
      break;
    }
  }
  return items;
}

function call(at: number, name: string, ...args: readonly Expression[]): Expression {
  return { kind: 'call', at, name, target: undefined, args };
}

/** Separate tokens in the grammar. */
const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
