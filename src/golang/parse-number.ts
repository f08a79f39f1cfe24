/** Parses an integer as Go's strconv does with base 0: signs, underscores, 0x, 0o, 0b, a leading 0 for octal. */
export function parseInteger(text: string): bigint | undefined {
  // Longer numbers do not fit into 64 bits, and parsing them takes more than linear time.
  if (text.length > MAX_LENGTH) return undefined;
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, body = ''] = match;
  if (!underscoresSeparateDigits(body)) return undefined;
  const digits = body.replaceAll('_', '');
  // 017 is the old spelling of 0o17.
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  return sign === '-' ? -magnitude : magnitude;
}

/** Parses a float as strconv.ParseFloat does, including hexadecimal ones. */
export function parseFloat64(literal: string): number | undefined {
  const text = literal.includes('_')
    ? literal.replace(/x/i.test(literal) ? HEX_SEPARATOR : SEPARATOR, '')
    : literal;
  const hex = HEX_FLOAT.exec(text);
  if (hex !== null) return hexFloat(hex);
  if (SPECIAL.test(text)) return special(text);
  if (!DECIMAL_FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Underscores are valid only between digits, or between 0x and a digit. */
export function underscoresSeparateDigits(text: string): boolean {
  if (!text.includes('_')) return true;
  const body = text.replace(/^[+-]?(0[xXoObB])?/, (prefix) => (/[xXoObB]/.test(prefix) ? '0' : ''));
  return !/__|_$|^_|_[^0-9a-fA-F]|[^0-9a-fA-F]_/.test(body);
}

export const MAX_INT64 = 2n ** 63n - 1n;
export const MIN_INT64 = -(2n ** 63n);
export const MAX_UINT64 = 2n ** 64n - 1n;

const MAX_LENGTH = 1000;
const INTEGER =
  /^([+-]?)(0[xX][0-9a-fA-F_]*[0-9a-fA-F]|0[oO][0-7_]*[0-7]|0[bB][01_]*[01]|0[0-7_]*[0-7]|0|[1-9][0-9_]*)$/;
const DECIMAL_FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** An underscore between digits, or between 0x and a digit. */
const SEPARATOR = /(?<=\d)_(?=\d)/g;
const HEX_SEPARATOR = /(?<=[\da-fx])_(?=[\da-f])/gi;
const HEX_FLOAT = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/;
const SPECIAL = /^(nan|[+-]?inf(inity)?)$/i;

function hexFloat([, sign, whole = '', fraction = '', exponent]: RegExpExecArray): number | undefined {
  if (whole + fraction === '') return undefined;
  const mantissa = Number.parseInt(whole + fraction, 16);
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

function special(text: string): number {
  if (/nan/i.test(text)) return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
