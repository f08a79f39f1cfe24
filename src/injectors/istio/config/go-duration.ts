/**
 * A duration as Istio reads it, in Go's notation (`1m30s`, `100ms`), written in protobuf's (`90s`, `0.100s`). Undefined if it is
 * invalid.
 */
export function protoDuration(text: string): string | undefined {
  const nanoseconds = nanosecondsOf(text);
  if (nanoseconds === undefined) return undefined;
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const digits = String(size % NANOSECONDS)
    .padStart(9, '0')
    .replace(/(000){1,3}$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / NANOSECONDS}${digits === '' ? '' : '.'}${digits}s`;
}

/** Of a second. */
export const NANOSECONDS = 1_000_000_000n;

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: NANOSECONDS,
  m: 60n * NANOSECONDS,
  h: 3600n * NANOSECONDS,
};
const PART = /(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/y;
/** More than that cannot be valid, and digits cost time. */
const LONGEST = 200;

/** Go's time.ParseDuration, in nanoseconds. */
export function nanosecondsOf(text: string): bigint | undefined {
  const unsigned = text.replace(/^[-+]/, '');
  if (unsigned === '0') return 0n;
  if (unsigned === '' || unsigned.length > LONGEST) return undefined;
  let total = 0n;
  for (let at = 0; at < unsigned.length; at = PART.lastIndex) {
    PART.lastIndex = at;
    const [, whole = '', fraction = '', name = ''] = PART.exec(unsigned) ?? [];
    const unit = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
    if (unit === undefined || whole + fraction === '') return undefined;
    total += BigInt(whole || 0) * unit + (BigInt(fraction || 0) * unit) / 10n ** BigInt(fraction.length);
  }
  const isNegative = text.startsWith('-');
  if (total > 2n ** 63n - (isNegative ? 0n : 1n)) return undefined;
  return isNegative ? -total : total;
}
