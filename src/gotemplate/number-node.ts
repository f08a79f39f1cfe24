import {
  MAX_INT64,
  MAX_UINT64,
  MIN_INT64,
  parseFloat64,
  parseInteger,
  underscoresSeparateDigits,
} from '../golang/parse-number.ts';
import { quote, unquoteRune } from '../golang/strconv.ts';
import type { Token } from './lex.ts';
import type { NumberNode } from './nodes.ts';

/** Parses a numeric constant. Returns an error message if it is invalid. */
export function numberNode({ type, text, pos }: Token): NumberNode | string {
  if (type === 'rune') return runeNode(text, pos);
  if (type === 'complex' || /^[^xX]*i$/.test(text))
    return `complex numbers are not supported: ${quote(text)}`;
  const int = parseInteger(text);
  if (int !== undefined && int >= MIN_INT64 && int <= MAX_UINT64) {
    return { type: 'number', pos, text, int, float: Number(int), isFloat: isFloatText(text) };
  }
  const float = underscoresSeparateDigits(text) ? parseFloat64(text.replaceAll('_', '')) : undefined;
  if (float === undefined)
    return `${int === undefined ? 'illegal number syntax' : 'integer overflow'}: ${quote(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`;
  const whole = Number.isInteger(float) && Math.abs(float) <= Number(MAX_INT64);
  return { type: 'number', pos, text, int: whole ? BigInt(float) : undefined, float, isFloat: true };
}

function runeNode(text: string, pos: number): NumberNode | string {
  const code = unquoteRune(text);
  if (code === undefined) return text === "''" ? 'invalid syntax' : `malformed character constant: ${text}`;
  return { type: 'number', pos, text, int: BigInt(code), float: code, isFloat: false };
}

/** An e in a hexadecimal number is a digit. */
function isFloatText(text: string): boolean {
  return /^0[xX]/.test(text) ? /[pP]/.test(text) : /[.eEpP]/.test(text);
}
