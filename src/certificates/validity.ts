export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/**
 * From a little in the past, for verifiers whose clock is behind: an hour, and for short lives a tenth of them, so that a share
 * of the span between the two dates says much the same as a share of the life.
 */
export function validity(days: number, now: Date): Validity {
  const life = days * DAY;
  const notBefore = new Date(now.getTime() - Math.min(HOUR, life / 10));
  return { notBefore: toSecond(notBefore), notAfter: toSecond(new Date(now.getTime() + life)) };
}

/** Certificates know no fractions of a second. */
function toSecond(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1000) * 1000);
}
