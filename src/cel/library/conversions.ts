import { formatFloat } from '../../golang/format-float.ts';
import { MAX_INT64, MAX_UINT64, MIN_INT64, parseFloat64 } from '../../golang/parse-number.ts';
import { toBytes } from '../../golang/utf8.ts';
import { CelError } from '../cel-error.ts';

export function stringToInt(text: string): bigint {
  const value = /^[+-]?\d+$/.test(text) ? boundedBigInt(text) : undefined;
  if (value === undefined || value < MIN_INT64 || value > MAX_INT64) throw conversionError('string', 'int');
  return value;
}

export function stringToUint(text: string): bigint {
  const value = /^\d+$/.test(text) ? boundedBigInt(text) : undefined;
  if (value === undefined || value > MAX_UINT64) throw conversionError('string', 'uint');
  return value;
}

export function stringToDouble(text: string): number {
  const value = parseFloat64(text);
  if (value === undefined) throw conversionError('string', 'double');
  return value;
}

export function stringToBool(text: string): boolean {
  const value = BOOLEANS.get(text);
  if (value === undefined) throw conversionError('string', 'bool');
  return value;
}

export const stringToBytes: (text: string) => Uint8Array = toBytes;

export function bytesToString(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** The shortest digits that give the same double, as Go's %g prints them: `2`, `1e+06`, `+Inf`. */
export function doubleToString(value: number): string {
  return formatFloat(value, 'g');
}

/** Truncates. The least int64 is refused as well, unlike in other conversions. */
export function doubleToInt(value: number): bigint {
  if (!(value > -TWO_TO_63 && value < TWO_TO_63)) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

export function doubleToUint(value: number): bigint {
  if (!(value >= 0 && value < 2 * TWO_TO_63)) throw new CelError('unsigned integer overflow');
  return BigInt(Math.trunc(value));
}

export function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

const TWO_TO_63 = 2 ** 63;
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

/** Longer numbers do not fit into 64 bits unless they have leading zeros; parsing them all would not be linear. */
function boundedBigInt(digits: string): bigint | undefined {
  const short = digits.replace(/^([+-]?)0+(?=\d)/, '$1');
  return short.length > 21 ? undefined : BigInt(short.startsWith('+') ? short.slice(1) : short);
}
