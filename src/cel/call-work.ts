import type { Work } from './declarations.ts';

// What calls spend of the limit in work.ts. The rates are those of the slowest arguments that are known.

/** Reading all arguments once: what a call spends if its function does not declare anything else. */
export const reading: Work = (args) => {
  let units = 0;
  for (const arg of args) units += lengthOf(arg);
  return units;
};

/** For functions that take the same time for arguments of any length, or spend their work themselves. */
export const NO_WORK: Work = () => 0;

/** A call, and each character or element of its first argument. */
export function perLength(units: number, call = 0): Work {
  return ([first]) => call + units * lengthOf(first);
}

/** Parsing a text. Such functions take about a microsecond, which their CEL costs do not reflect. */
export function parsing(units = 1): Work {
  return perLength(units, 300);
}

/** Searching for a text. The built-in search may take the product of both lengths, unless that is large. */
export const searching: Work = ([text, part]) => {
  if (typeof text !== 'string' || typeof part !== 'string') return 0;
  return Math.min(2 * (text.length + part.length), 1 + (text.length * part.length) / 10);
};

/** Of texts, bytes and lists. An element takes longer than a character. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return Array.isArray(value) ? 4 * value.length : 0;
}
