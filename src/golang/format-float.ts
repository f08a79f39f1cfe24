import { scaledDigits } from './round-decimal.ts';

export type FloatShape = 'e' | 'f' | 'g' | 'x' | 'b';

/** Go's strconv.FormatFloat. Without a precision it returns the shortest exact digits. x and b are always exact. */
export function formatFloat(value: number, verb: FloatShape, precision?: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  if (verb === 'e') return sign + exponential(magnitude, precision);
  if (verb === 'f') return sign + fixed(magnitude, precision);
  if (verb === 'x' || verb === 'b') return sign + binary(magnitude, verb);
  return sign + general(magnitude, precision);
}

/** %v of a float64, the format in a template's output: 15020 but 1e+06. */
export function printFloat(value: number): string {
  // Integers below the threshold for exponents have the same format in both languages.
  return Number.isInteger(value) && value < 1e6 && value > 0 ? String(value) : formatFloat(value, 'g');
}

function exponential(value: number, precision: number | undefined): string {
  const [mantissa, exponent] = digitsOf(value, precision);
  const body = mantissa.length > 1 ? `${mantissa[0]}.${mantissa.slice(1)}` : mantissa;
  return `${body}e${signed(exponent, 2)}`;
}

/** The digits, one before and `precision` after the point, and the power of ten. */
function digitsOf(value: number, precision: number | undefined): [string, number] {
  const shortest = value.toExponential();
  const at = shortest.indexOf('e');
  const exponent = Number(shortest.slice(at + 1));
  if (precision === undefined) return [shortest.slice(0, at).replace('.', ''), exponent];
  if (value === 0) return ['0'.repeat(precision + 1), 0];
  const digits = scaledDigits(value, precision - exponent).toString();
  // Rounding may have turned 9.99 into 10.0.
  return digits.length > precision + 1 ? [digits.slice(0, -1), exponent + 1] : [digits, exponent];
}

function fixed(value: number, precision: number | undefined): string {
  if (precision === undefined) return shortestFixed(value);
  const digits = scaledDigits(value, precision)
    .toString()
    .padStart(precision + 1, '0');
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

function shortestFixed(value: number): string {
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

function general(value: number, precision: number | undefined): string {
  const wanted = precision === undefined ? undefined : Math.max(precision, 1);
  const [padded, exponent] = digitsOf(value, wanted === undefined ? undefined : wanted - 1);
  const digits = padded.replace(/(?<=.)0+$/, '');
  // The shortest format uses an exponent where %.6g would.
  const limit =
    wanted === undefined ? 6 : wanted > digits.length && digits.length > exponent ? digits.length : wanted;
  if (exponent < -4 || exponent >= limit) return exponential(value, Math.max(digits.length - 1, 0));
  return fixed(value, Math.max(digits.length - 1 - exponent, 0));
}

/** The bits of a float: 0x1.8p+00 for %x, 6755399441055744p-52 for %b. */
function binary(value: number, verb: 'x' | 'b'): string {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const fraction = all & (2n ** 52n - 1n);
  const stored = Number(all >> 52n);
  const exponent = stored === 0 ? -1022 : stored - 1023;
  if (verb === 'b') return `${stored === 0 ? fraction : fraction + 2n ** 52n}p${signed(exponent - 52, 1)}`;
  if (value === 0) return '0x0p+00';
  const digits = fraction.toString(16).padStart(13, '0').replace(/0+$/, '');
  return `0x${stored === 0 ? 0 : 1}${digits === '' ? '' : `.${digits}`}p${signed(exponent, 2)}`;
}

function signed(exponent: number, digits: number): string {
  return (exponent < 0 ? '-' : '+') + String(Math.abs(exponent)).padStart(digits, '0');
}
