import { MAX_INT64, MIN_INT64 } from '../../golang/parse-number.ts';
import { CelError } from '../cel-error.ts';
import { CostError } from '../cost-error.ts';
import { spendWork } from '../work.ts';

/**
 * Kubernetes' resource.Quantity: `digits × 10^exponent`. Unlike `kube/quantity.ts`, which models what the API server accepts
 * in a manifest, this keeps the parts of Go's value that CEL can see: the format, the exponent, and whether it is stored in 64 bits.
 */
export interface Quantity {
  readonly digits: bigint;
  readonly exponent: number;
  /** Stored as an int64 with an exponent, or as a decimal of any size. Only the former is ever an integer. */
  readonly isSmall: boolean;
  readonly format: 'decimal' | 'binary' | 'exponent';
  /** The text it was parsed from, if that is canonical. */
  readonly text?: string;
}

export function toQuantity(text: string): Quantity {
  const quantity = parse(text);
  if (typeof quantity === 'string') throw new CelError(quantity);
  return quantity;
}

export function isQuantity(text: string): boolean {
  return typeof parse(text) !== 'string';
}

export function quantityFromInt(value: bigint): Quantity {
  return { digits: value, exponent: 0, isSmall: true, format: 'exponent' };
}

export function compareQuantities(left: Quantity, right: Quantity): -1 | 0 | 1 {
  // Without aligning exponents, which may be far apart.
  const signs = quantitySign(left) - quantitySign(right);
  if (signs !== 0) return signs < 0 ? -1 : 1;
  const [a, b] = align(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const format = left.digits === 0n ? right.format : left.format;
  const isSmall = left.isSmall && right.isSmall;
  if (isSmall && right.digits === 0n) return { ...without(left), format };
  if (isSmall && left.digits === 0n) return { ...without(right), format };
  const [a, b, exponent] = align(left, right);
  const fits = [a, b, a + b].every((value) => value >= MIN_INT64 && value <= MAX_INT64);
  return { digits: a + b, exponent, isSmall: isSmall && fits, format };
}

export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return addQuantities(left, { ...right, digits: -right.digits });
}

export function quantitySign({ digits }: Quantity): -1 | 0 | 1 {
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

export function isIntegerQuantity(quantity: Quantity): boolean {
  return integerValue(quantity) !== undefined;
}

export function quantityToInt(quantity: Quantity): bigint {
  const value = integerValue(quantity);
  if (value === undefined) throw new CelError('cannot convert value to integer');
  return value;
}

export function quantityToDouble({ digits, exponent }: Quantity): number {
  return exponent === 0 ? Number(digits) : Number(digits) * Number(`1e${exponent}`);
}

export function quantityToString(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.digits === 0n) return '0';
  if (!quantity.isSmall) spendWork(PRINTING_WORK);
  return (quantity.format === 'binary' ? binaryText(quantity) : undefined) ?? decimalText(quantity);
}

/** Up to twice as many digits as a quantity is parsed from. */
const PRINTING_WORK = 20_000;

const FORMAT_PROBLEM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC_PROBLEM = 'unable to parse numeric part of quantity';
const SUFFIX_PROBLEM = "unable to parse quantity's suffix";

const DECIMAL: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

interface Suffix {
  readonly format: Quantity['format'];
  /** A power of ten, or of 1024 for the binary format. */
  readonly power: number;
}

interface Numeral {
  readonly isNegative: boolean;
  /** Without leading zeros, but with at least one digit. */
  readonly whole: string;
  readonly fraction: string;
  /** `Mi` has no digits and is 0. */
  readonly hasDigits: boolean;
}

function parse(text: string): Quantity | string {
  if (text === '') return FORMAT_PROBLEM;
  const [matched = '', sign, digits = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?/.exec(text) ?? [];
  const rest = text.slice(matched.length);
  if (!/^[eEinumkKMGTP]*[-+]?\d*$/.test(rest)) return FORMAT_PROBLEM;
  const suffix = parseSuffix(rest);
  if (suffix === undefined) return SUFFIX_PROBLEM;
  const whole = digits.replace(/^0+/, '') || '0';
  const numeral = { isNegative: sign === '-', whole, fraction, hasDigits: digits + fraction !== '' };
  return parseSmall(text, numeral, suffix) ?? parseLarge(numeral, suffix);
}

function parseSuffix(text: string): Suffix | undefined {
  const decimal = DECIMAL.get(text);
  if (decimal !== undefined) return { format: 'decimal', power: decimal };
  const binary = BINARY.indexOf(text);
  if (binary > 0) return { format: 'binary', power: binary };
  const [, exponent] = /^[eE]([-+]?\d{1,18})$/.exec(text) ?? [];
  // Go keeps 32 bits of it.
  return exponent === undefined
    ? undefined
    : { format: 'exponent', power: Number(BigInt.asIntN(32, BigInt(exponent))) };
}

/** Numbers that certainly fit into an int64. The bounds are visible, so they are Kubernetes' own. */
function parseSmall(text: string, numeral: Numeral, { format, power }: Suffix): Quantity | undefined {
  const { isNegative, whole, fraction } = numeral;
  const isBinary = format === 'binary';
  if (isBinary ? fraction !== '' || whole.length + 3 * power > 14 : whole.length + fraction.length > 18)
    return undefined;
  const exponent = isBinary ? 0 : power - fraction.length;
  if (exponent < -9) return undefined;
  const shifted = whole + fraction;
  const magnitude = BigInt(shifted) * (isBinary ? 1024n ** BigInt(power) : 1n);
  const isCanonical = isBinary
    ? BigInt(shifted) % 8n !== 0n
    : exponent % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  const quantity = { digits: isNegative ? -magnitude : magnitude, exponent, isSmall: true, format };
  return isCanonical || text === '0' ? { ...quantity, text } : quantity;
}

function parseLarge(
  { isNegative, whole, fraction, hasDigits }: Numeral,
  { format, power }: Suffix,
): Quantity | string {
  if (!hasDigits) return NUMERIC_PROBLEM;
  if (whole.length + fraction.length > MAX_DIGITS) throw new CostError();
  const isBinary = format === 'binary';
  const magnitude = BigInt(whole + fraction) * (isBinary ? 1024n ** BigInt(power) : 1n);
  const exponent = (isBinary ? 0 : power) - fraction.length;
  if (magnitude === 0n) return large(0n, exponent, format);
  const nanos = toNanos(magnitude, exponent);
  if (isBinary && nanos > MAX_INT64 * NANOS) return large(isNegative ? -MAX_INT64 : MAX_INT64, 0, format);
  const isFraction = nanos < NANOS;
  return large(isNegative ? -nanos : nanos, -9, isBinary && isFraction ? 'decimal' : format);
}

const NANOS = 10n ** 9n;

/** Rounds up: an amount too small to represent is still not zero. */
function toNanos(magnitude: bigint, exponent: number): bigint {
  if (exponent >= -9) return magnitude * powerOfTen(exponent + 9);
  // Far below, no digits remain.
  const divisor = powerOfTen(Math.min(-9 - exponent, magnitude.toString().length));
  return (magnitude + divisor - 1n) / divisor;
}

function large(digits: bigint, exponent: number, format: Quantity['format']): Quantity {
  return { digits, exponent, isSmall: false, format };
}

function without({ digits, exponent, isSmall, format }: Quantity): Quantity {
  return { digits, exponent, isSmall, format };
}

/** The digits of both at the lesser exponent. */
function align(left: Quantity, right: Quantity): [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  return [
    left.digits * powerOfTen(left.exponent - exponent),
    right.digits * powerOfTen(right.exponent - exponent),
    exponent,
  ];
}

/** Numbers of more digits take more than linear time, and no quantity needs them. `1e999999999` would fill the memory. */
const MAX_DIGITS = 10_000;

/** What multiplying by it takes is counted, too. */
function powerOfTen(exponent: number): bigint {
  if (exponent > MAX_DIGITS) throw new CostError();
  spendWork(10 * exponent);
  return 10n ** BigInt(exponent);
}

/** Like Kubernetes, does not find that `1000m` is 1 once it has been computed. */
function integerValue({ digits, exponent, isSmall }: Quantity): bigint | undefined {
  if (!isSmall || exponent < 0) return undefined;
  if (digits === 0n || exponent === 0) return digits;
  const value = exponent > 18 ? undefined : digits * 10n ** BigInt(exponent);
  return value !== undefined && value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}

/** Undefined for what has a fraction or is less than 1024: it is printed in the decimal format. */
function binaryText({ digits, exponent }: Quantity): string | undefined {
  const divisor = exponent < 0 ? powerOfTen(-exponent) : 1n;
  const value = exponent < 0 ? digits / divisor : digits * powerOfTen(exponent);
  if (digits % divisor !== 0n || (value > -1024n && value < 1024n)) return undefined;
  let amount = value;
  let power = 0;
  for (; amount % 1024n === 0n; amount /= 1024n) power++;
  return `${amount}${BINARY[power] ?? ''}`;
}

/** The greatest multiple of three for the exponent that leaves a whole number. */
function decimalText({ digits, exponent, format }: Quantity): string {
  const zeros = zerosAtEnd(String(digits));
  let amount = digits / 10n ** BigInt(zeros);
  let power = exponent + zeros;
  for (; power % 3 !== 0; power--) amount *= 10n;
  if (format === 'exponent') return `${amount}${power === 0 ? '' : `e${power}`}`;
  // Kubernetes prints no suffix if none exists, even though the number is then wrong.
  const [suffix = ''] = [...DECIMAL].find(([, value]) => value === power) ?? [];
  return `${amount}${suffix}`;
}

function zerosAtEnd(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.length - end;
}
