import { PodgraftError } from '../podgraft-error.ts';

/** A resource.Quantity as an exact decimal: `digits × 10^exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
/** apimachinery's grammar: sign, digits, then a suffix or an exponent. No nested repetition: linear time. */
const GRAMMAR = /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?(?:([eE][+-]?\d{1,3})|([KMGTPE]i|[numkMGTPE]?))$/;

export function isQuantity(text: string): boolean {
  return smallAmount(text) !== undefined || parse(text) !== undefined;
}

/** Negative, zero or positive, as the first is less than, equal to or greater than the second. */
export function compareQuantities(left: string | number, right: string | number): number {
  return compareDecimals(mustParse(String(left)), mustParse(String(right)));
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = scaled(a, exponent) - scaled(b, exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** False if one is absent or invalid: the API server rejects invalid quantities. */
export function isLess(left: string | number | undefined, right: string | number | undefined): boolean {
  if (left === right || left === undefined || right === undefined) return false;
  const [small, large] = [smallAmount(left), smallAmount(right)];
  if (small !== undefined && large !== undefined) return small < large;
  if (!isQuantity(String(left)) || !isQuantity(String(right))) return false;
  return compareQuantities(left, right) < 0;
}

/** In thousandths, for amounts that are exact as such: nearly all of them. Exact arithmetic takes ten times as long. */
function smallAmount(value: string | number): number | undefined {
  // A regular expression would be most of the cost.
  const text = String(value);
  let digits = 0;
  let at = 0;
  for (; at < text.length && at < 9; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) break;
    digits = digits * 10 + digit;
  }
  const unit = at === 0 ? undefined : SMALL_UNITS.get(text.slice(at));
  const amount = unit === undefined ? Number.NaN : digits * unit;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const SMALL_UNITS: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['', 1000],
  ['k', 1e6],
  ['M', 1e9],
  ['G', 1e12],
  ['Ki', 1000 * 2 ** 10],
  ['Mi', 1000 * 2 ** 20],
  ['Gi', 1000 * 2 ** 30],
]);

/**
 * Whether amounts exceed a quantity together. Those that do not last are needed one by one, with the lasting ones before them.
 * Invalid amounts count as zero.
 */
export function exceeds(
  amounts: readonly string[],
  available: string,
  isLasting: (index: number) => boolean = () => true,
): boolean {
  const limit = parse(available);
  if (limit === undefined) return false;
  const parts = amounts.map(parse);
  const exponent = parts.reduce((least, part) => Math.min(least, part?.exponent ?? least), limit.exponent);
  const most = scaled(limit, exponent);
  let sum = 0n;
  for (const [index, part] of parts.entries()) {
    if (part === undefined) continue;
    const next = sum + scaled(part, exponent);
    if (isLasting(index)) sum = next;
    else if (next > most) return true;
  }
  return sum > most;
}

/**
 * As the API server writes it back: `1000m` is `1`, `1024Mi` is `1Gi`, `1.5` is `1500m`, `1E3` is `1e3`. It rounds away from
 * zero below a billionth.
 */
export function canonicalQuantity(text: string | number): string {
  return canonical(String(text), NANO);
}

/** An amount of a resource, such as a container's CPU: in whole thousandths, rounded away from zero. */
export function canonicalResource(text: string | number): string {
  return canonical(String(text), MILLI);
}

/** An amount of a resource in thousandths, rounded like `canonicalResource`; undefined if invalid. */
export function thousandthsOf(value: string | number): bigint | undefined {
  const small = smallAmount(value);
  if (small !== undefined) return BigInt(small);
  const decimal = parse(String(value));
  return decimal && scaled(roundedAway(decimal, MILLI), MILLI);
}

/** Whether the API server stores both as the same amount of a resource. */
export function isSameResource(left: string, right: string): boolean {
  return compareDecimals(roundedAway(mustParse(left), MILLI), roundedAway(mustParse(right), MILLI)) === 0;
}

const NANO = -9;
const MILLI = -3;

function canonical(source: string, smallest: number): string {
  const decimal = roundedAway(mustParse(source), smallest);
  const isBinary = source.endsWith('i');
  const whole = isBinary ? wholeAmount(decimal) : undefined;
  if (whole !== undefined) return canonicalBinary(whole);
  return canonicalDecimal(decimal, !isBinary && /[eE][+-]?\d/.test(source));
}

function roundedAway(decimal: Decimal, exponent: number): Decimal {
  const { digits } = decimal;
  if (decimal.exponent >= exponent) return decimal;
  const divisor = 10n ** BigInt(exponent - decimal.exponent);
  const away = digits % divisor === 0n ? 0n : digits < 0n ? -1n : 1n;
  return { digits: digits / divisor + away, exponent };
}

function wholeAmount(decimal: Decimal): bigint | undefined {
  if (decimal.exponent >= 0) return scaled(decimal, 0);
  const divisor = 10n ** BigInt(-decimal.exponent);
  return decimal.digits % divisor === 0n ? decimal.digits / divisor : undefined;
}

function canonicalBinary(bytes: bigint): string {
  let value = bytes;
  let unit = 0;
  while (value !== 0n && value % 1024n === 0n && unit < BINARY.length) {
    value /= 1024n;
    unit++;
  }
  return `${value}${unit === 0 ? '' : BINARY[unit - 1]}`;
}

/** A quantity that was written with an exponent keeps one. */
function canonicalDecimal({ digits, exponent }: Decimal, hasExponent: boolean): string {
  if (digits === 0n) return '0';
  let value = digits;
  let power = exponent;
  while (value % 10n === 0n) {
    value /= 10n;
    power++;
  }
  const whole = Math.floor(power / 3) * 3;
  const unit = hasExponent ? whole : Math.min(18, whole);
  const symbol = Object.keys(DECIMAL).find((name) => DECIMAL[name] === unit) ?? '';
  const suffix = hasExponent && unit !== 0 ? `e${unit}` : symbol;
  return `${value * 10n ** BigInt(power - unit)}${suffix}`;
}

function mustParse(text: string): Decimal {
  const decimal = parse(text);
  if (decimal !== undefined) return decimal;
  throw new PodgraftError('QUANTITY_INVALID', `Cannot read quantity "${text}": not a number with a unit`);
}

function parse(text: string): Decimal | undefined {
  const match = GRAMMAR.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponentText, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const magnitude = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0)
    return withinInt64({ digits: magnitude * 1024n ** BigInt(binary + 1), exponent: -fraction.length });
  const power = exponentText === undefined ? (DECIMAL[suffix] ?? 0) : Number(exponentText.slice(1));
  return { digits: magnitude, exponent: power - fraction.length };
}

function scaled(decimal: Decimal, exponent: number): bigint {
  return decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
}

const LARGEST_INT64 = 2n ** 63n - 1n;

/** Kubernetes caps amounts with a binary suffix, and no others. */
function withinInt64(decimal: Decimal): Decimal {
  const { digits, exponent } = decimal;
  const largest = LARGEST_INT64 * 10n ** BigInt(-exponent);
  if (digits > largest) return { digits: LARGEST_INT64, exponent: 0 };
  return digits < -largest ? { digits: -LARGEST_INT64, exponent: 0 } : decimal;
}
