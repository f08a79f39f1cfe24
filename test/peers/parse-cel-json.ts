import { double, int, isInt64 } from '../../src/cel/values/values.ts';

/**
 * Parses JSON for expressions, and distinguishes what `JSON.parse` does not: `2` is an int, `2.0` and `1e3` are doubles, and
 * integers beyond 2^53 are exact. Throws a SyntaxError like `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  // Checks the syntax, so the rest need not.
  const value: unknown = JSON.parse(text);
  return UNUSUAL_NUMBER.test(text) ? parseTokens(text) : value;
}

/** May find some in strings, but misses none. */
const UNUSUAL_NUMBER = /\d{16}|\d[eE]|\.0/;

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\]]/g;

/** Values may be nested deeper than functions can be. */
function parseTokens(text: string): unknown {
  const root: unknown[] = [];
  const containers: Container[] = [root];
  let container: Container = root;
  let key: string | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      containers.pop();
      container = containers.at(-1) ?? root;
    } else if (!Array.isArray(container) && key === undefined) {
      key = JSON.parse(token);
    } else {
      const value = valueOfToken(token);
      if (Array.isArray(container)) container.push(value);
      else Object.defineProperty(container, key ?? '', { value, ...PROPERTY });
      key = undefined;
      if (token !== '{' && token !== '[') continue;
      container = value as Container;
      containers.push(container);
    }
  }
  return root[0];
}

type Container = unknown[] | Record<string, unknown>;

/** `__proto__` is a key like any other. */
const PROPERTY = { enumerable: true, configurable: true, writable: true };

function valueOfToken(token: string): unknown {
  if (token === '{') return {};
  if (token === '[') return [];
  return /^[-\d]/.test(token) ? numberOf(token) : JSON.parse(token);
}

function numberOf(token: string): unknown {
  const number = Number(token);
  if (/[.eE]/.test(token)) return double(number);
  if (Number.isSafeInteger(number)) return number;
  const integer = BigInt(token);
  return isInt64(integer) ? int(integer) : number;
}
