/**
 * value * 10^scale, rounded to an integer, ties to even. Go rounds the exact binary value like this, whereas JavaScript's
 * toFixed and toExponential round ties up: 3.25 with one digit is 3.2 in Go and 3.3 in JavaScript.
 */
export function scaledDigits(value: number, scale: number): bigint {
  const { mantissa, exponent } = exact(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (scale >= 0) numerator *= 10n ** BigInt(scale);
  else denominator *= 10n ** BigInt(-scale);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** A non-negative finite float64 as mantissa * 2^exponent. */
function exact(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const fraction = all & (2n ** 52n - 1n);
  const stored = Number(all >> 52n);
  return stored === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction + 2n ** 52n, exponent: stored - 1075 };
}
