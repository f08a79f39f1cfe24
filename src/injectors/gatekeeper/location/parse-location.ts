import type { Location, LocationNode } from './location.ts';
import { scanLocation, type Token } from './scan-location.ts';

export interface LocationProblem {
  readonly problem: string;
  /** Of the character, counted from 1. */
  readonly position: number;
}

/**
 * Parses `name [list] ( "." name [list] )*`, where a list is `"[" name ":" ( name | integer | "*" ) "]"`. An empty text is an
 * empty location.
 */
export function parseLocation(text: string): Location | LocationProblem {
  const tokens = scanLocation(text);
  const nodes: LocationNode[] = [];
  let at = 0;
  const next = () => tokens[at] as Token;
  const expected = (what: string): LocationProblem => {
    const token = next();
    const found = token.type === 'invalid' ? token.problem : `found ${nameOf(token)}`;
    return { problem: `expected ${what}, ${found}`, position: token.position };
  };
  if (next().type === 'end') return { text, nodes };
  for (;;) {
    const field = next();
    if (field.type !== 'name') return expected('a field name');
    nodes.push({ type: 'field', name: field.text });
    at++;
    if (next().type === '[') {
      at++;
      const key = next();
      if (key.type !== 'name') return expected('the name of a key field');
      at++;
      if (next().type !== ':') return expected('":"');
      at++;
      const value = next();
      const node = elementNode(key.text, value);
      if (node === undefined) return expected('a key value or "*"');
      if ('problem' in node) return node;
      nodes.push(node);
      at++;
      if (next().type !== ']') return expected('"]"');
      at++;
    }
    if (next().type === 'end') return { text, nodes };
    if (next().type !== '.') return expected('"." or the end');
    at++;
  }
}

function elementNode(key: string, value: Token): LocationNode | LocationProblem | undefined {
  if (value.type === '*') return { type: 'glob', key };
  if (value.type === 'name') return { type: 'element', key, value: value.text };
  if (value.type !== 'integer') return undefined;
  const integer = value.text.length > MOST_DIGITS ? MAX_INT64 + 1n : BigInt(value.text);
  if (integer <= MAX_INT64) return { type: 'element', key, value: integer };
  return { problem: `integer ${value.text} is larger than ${MAX_INT64}`, position: value.position };
}

const MAX_INT64 = 2n ** 63n - 1n;
/** Leading zeros are allowed, but not megabytes of digits. */
const MOST_DIGITS = 100;

function nameOf(token: Exclude<Token, { type: 'invalid' }>): string {
  if (token.type === 'end') return 'the end';
  return JSON.stringify('text' in token ? token.text : token.type);
}
