export const DEFAULT_EXPIRATION = 86_400;

/** The API server's limits for a token's lifetime in seconds. */
const MIN_EXPIRATION = 600;
const MAX_EXPIRATION = 2 ** 32;

export function withinLimits(seconds: number): number {
  return Math.min(Math.max(seconds, MIN_EXPIRATION), MAX_EXPIRATION);
}

/** Parses an annotation as Go's strconv.ParseInt does with base 10 and 64 bits; undefined if invalid. */
export function parseExpiration(text: string | undefined): number | undefined {
  // An int64 has at most 19 digits after leading zeros.
  if (text === undefined || !/^[+-]?0*\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? withinLimits(Number(value)) : undefined;
}

/**
 * Replaces the default by a value in the two hours below it, so that the tokens of many Pods are not renewed at the same
 * time. The same seed always gives the same value.
 */
export function spread(seconds: number, seed: string): number {
  if (seconds !== DEFAULT_EXPIRATION) return seconds;
  return DEFAULT_EXPIRATION - (fnv1a(seed) % (2 * 60 * 60 + 1));
}

/** FNV-1a in 32 bits: good enough to spread values. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
