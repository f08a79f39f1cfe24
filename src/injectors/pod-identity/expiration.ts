export const DEFAULT_EXPIRATION = 86_400;

/** The API server refuses tokens that live less than ten minutes or more than 2^32 seconds. */
const SHORTEST = 600;
const LONGEST = 2 ** 32;

export function withinLimits(seconds: number): number {
  return Math.min(Math.max(seconds, SHORTEST), LONGEST);
}

/** Reads an annotation as Go reads an int64 in base 10; undefined where it is none. */
export function parseExpiration(text: string | undefined): number | undefined {
  // Leading zeros apart, an int64 has 19 digits at most.
  if (text === undefined || !/^[+-]?0*\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? withinLimits(Number(value)) : undefined;
}

/**
 * Spreads the tokens of many Pods that would all be renewed at the same time: the default becomes some value in the two
 * hours below it, always the same for the same seed.
 */
export function spread(seconds: number, seed: string): number {
  if (seconds !== DEFAULT_EXPIRATION) return seconds;
  return DEFAULT_EXPIRATION - (fnv1a(seed) % (2 * 60 * 60 + 1));
}

/** FNV-1a, 32 bits: small, and good enough to scatter. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
