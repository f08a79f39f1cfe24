/** coefficient * 10^exponent. Sprig adds decimals, so that 0.1 and 0.2 make 0.3. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

export function fromFloat(value: number): Decimal {
  if (!Number.isFinite(value)) throw new Error(`Cannot create a Decimal from ${value}`);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

export function toNumber({ coefficient, exponent }: Decimal): number {
  return Number(`${coefficient}e${exponent}`);
}

export function negate({ coefficient, exponent }: Decimal): Decimal {
  return { coefficient: -coefficient, exponent };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { coefficient: scaled(a, exponent) + scaled(b, exponent), exponent };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

const DIVISION_DIGITS = 16;

/** Divides to sixteen decimal places, rounding half away from zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.coefficient === 0n) throw new Error('decimal division by 0');
  const exponent = -DIVISION_DIGITS - 1;
  const shift = a.exponent - b.exponent - exponent;
  const numerator = shift >= 0 ? a.coefficient * 10n ** BigInt(shift) : a.coefficient;
  const denominator = shift >= 0 ? b.coefficient : b.coefficient * 10n ** BigInt(-shift);
  const quotient = numerator / denominator;
  const half = quotient < 0n ? -5n : 5n;
  return { coefficient: (quotient + half) / 10n, exponent: -DIVISION_DIGITS };
}

function scaled({ coefficient, exponent }: Decimal, target: number): bigint {
  return coefficient * 10n ** BigInt(exponent - target);
}
