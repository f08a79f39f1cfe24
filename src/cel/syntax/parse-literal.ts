import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, type Type, UINT } from '../types.ts';
import { double, int, isInt64, isUint64, Uint } from '../values/values.ts';
import type { Literal } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

/** A constant, with its sign if it is a number; undefined if something else follows. */
export function parseLiteral(cursor: Cursor): Literal | undefined {
  const { at } = cursor.peek();
  const sign =
    cursor.is('-') && (cursor.isKind('int', 1) || cursor.isKind('double', 1)) ? cursor.next().text : '';
  const constant = constantOf(cursor, cursor.peek(), sign, at);
  if (constant === undefined) return undefined;
  cursor.next();
  return { kind: 'literal', at, type: constant[0], value: constant[1] };
}

function constantOf(cursor: Cursor, token: Token, sign: string, at: number): [Type, unknown] | undefined {
  switch (token.kind) {
    case 'int': {
      const value = sign === '-' ? -BigInt(token.text) : BigInt(token.text);
      if (!isInt64(value)) cursor.report(at, 'invalid int literal');
      return [INT, int(value)];
    }
    case 'uint': {
      const value = BigInt(token.text.slice(0, -1));
      if (!isUint64(value)) cursor.report(at, 'invalid uint literal');
      return [UINT, new Uint(value)];
    }
    case 'double': {
      const value = Number(sign + token.text);
      if (!Number.isFinite(value)) cursor.report(at, 'invalid double literal');
      return [DOUBLE, double(value)];
    }
    case 'string':
      return [STRING, unquote(cursor, at, () => unescapeString(token.text), '')];
    case 'bytes':
      return [BYTES, unquote(cursor, at, () => unescapeBytes(token.text.slice(1)), new Uint8Array())];
    case 'name':
      if (token.text === 'true') return [BOOL, true];
      if (token.text === 'false') return [BOOL, false];
      return token.text === 'null' ? [NULL, null] : undefined;
    default:
      return undefined;
  }
}

function unquote<T>(cursor: Cursor, at: number, read: () => T, fallback: T): T {
  try {
    return read();
  } catch (error) {
    cursor.report(at, error instanceof Error ? error.message : String(error));
    return fallback;
  }
}
