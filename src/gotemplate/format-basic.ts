import { type FloatShape, formatFloat } from '../golang/format-float.ts';
import { canBackquote, isPrint, quote, quoteRune } from '../golang/strconv.ts';
import { toBytes } from '../golang/utf8.ts';
import { type Flags, pad } from './format-flags.ts';
import { isUnsigned } from './types.ts';
import { Int, type Value } from './values.ts';

/** Formats a bool, number or string with a verb; undefined if the verb does not apply. */
export function formatBasic(value: Value, verb: string, flags: Flags): string | undefined {
  if (typeof value === 'string') return formatString(value, verb, flags);
  if (typeof value === 'number') return formatNumber(value, verb, flags);
  if (typeof value === 'boolean') return verb === 't' || verb === 'v' ? pad(String(value), flags) : undefined;
  return value instanceof Int ? formatInteger(value, verb, flags) : undefined;
}

function formatString(text: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return pad(flags.mode === '#' ? quote(text) : truncate(text, flags), flags);
    case 's':
      return pad(truncate(text, flags), flags);
    case 'q':
      return pad(quoteText(truncate(text, flags), flags), flags);
    case 'x':
      return pad(hexText(text, flags), flags);
    case 'X':
      return pad(hexText(text, flags).toUpperCase(), flags);
  }
  return undefined;
}

function truncate(text: string, { precision }: Flags): string {
  return precision === undefined || text.length <= precision ? text : [...text].slice(0, precision).join('');
}

function quoteText(text: string, flags: Flags): string {
  if (flags.sharp && canBackquote(text)) return `\`${text}\``;
  return asciiOnly(quote(text), flags);
}

function asciiOnly(quoted: string, { plus }: Flags): string {
  if (!plus) return quoted;
  return quoted.replace(/\P{ASCII}/gu, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
  });
}

function hexText(text: string, { precision, space, sharp }: Flags): string {
  const bytes = toBytes(text).subarray(0, precision);
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const prefix = sharp && digits.length > 0 ? '0x' : '';
  return space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join('');
}

const FLOAT_SHAPES: Readonly<Record<string, FloatShape>> = {
  v: 'g',
  g: 'g',
  G: 'g',
  e: 'e',
  E: 'e',
  f: 'f',
  F: 'f',
  x: 'x',
  X: 'x',
  b: 'b',
};

function formatNumber(value: number, verb: string, flags: Flags): string | undefined {
  const shape = FLOAT_SHAPES[verb];
  if (shape === undefined) return undefined;
  // Only e and f have a default precision.
  const precision = flags.precision ?? (shape === 'e' || shape === 'f' ? 6 : undefined);
  let text = formatFloat(value, shape, precision);
  const finite = Number.isFinite(value);
  if (flags.sharp && finite) text = keepPoint(text, shape === 'g' ? (precision ?? 6) : 0);
  if ('EGX'.includes(verb) && finite) text = text.toUpperCase();
  return padNumber(text.replace(/^[+-]/, ''), text.startsWith('-'), !finite && text.startsWith('+'), {
    ...flags,
    zero: flags.zero && finite,
  });
}

/** The # flag keeps the decimal point, and for %g the trailing zeros. */
function keepPoint(text: string, digits: number): string {
  const [mantissa = '', exponent] = text.split('e');
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  const significant = pointed.replace(/^-?0?\.?0*|\./g, '').length;
  return (
    pointed + '0'.repeat(Math.max(digits - significant, 0)) + (exponent === undefined ? '' : `e${exponent}`)
  );
}

const RADIX: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

function formatInteger(int: Int, verb: string, flags: Flags): string | undefined {
  const { value } = int;
  if (verb === 'c') return pad(runeText(value), flags);
  if (verb === 'q') return pad(asciiOnly(quoteRune(Number(value)), flags), flags);
  if (verb === 'U') return pad(unicodePoint(value, flags), { ...flags, zero: false });
  const radix = RADIX[verb];
  if (radix === undefined) return undefined;
  if (flags.mode === '#' && isUnsigned(int.kind)) return pad(`0x${value.toString(16)}`, flags);
  const { precision } = flags;
  if (precision === 0 && value === 0n) return pad('', { ...flags, zero: false });
  let digits = (value < 0n ? -value : value).toString(radix).padStart(precision ?? 0, '0');
  if (verb === 'X') digits = digits.toUpperCase();
  const prefix = radixPrefix(verb, digits, flags);
  const padded = { ...flags, zero: flags.zero && precision === undefined };
  return padNumber(digits, value < 0n, false, padded, prefix);
}

function radixPrefix(verb: string, digits: string, { sharp }: Flags): string {
  if (verb === 'O') return '0o';
  if (!sharp) return '';
  if (verb === 'b') return '0b';
  if (verb === 'o') return digits.startsWith('0') ? '' : '0';
  return verb === 'x' ? '0x' : verb === 'X' ? '0X' : '';
}

/** Zeros are inserted between the sign and the digits, spaces around both. */
function padNumber(digits: string, negative: boolean, plus: boolean, flags: Flags, prefix = ''): string {
  const sign = negative ? '-' : flags.plus || plus ? '+' : flags.space ? ' ' : '';
  if (!flags.zero || flags.minus || flags.width === undefined)
    return pad(sign + prefix + digits, { ...flags, zero: false });
  return sign + prefix + digits.padStart(flags.width - sign.length, '0');
}

function runeText(value: bigint): string {
  const valid = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
  return String.fromCodePoint(valid ? Number(value) : 0xfffd);
}

function unicodePoint(value: bigint, flags: Flags): string {
  const point = `U+${BigInt.asUintN(64, value).toString(16).toUpperCase().padStart(4, '0')}`;
  const char = runeText(value);
  return flags.sharp && value >= 0n && isPrint(char) ? `${point} '${char}'` : point;
}
