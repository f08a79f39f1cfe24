export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const DAY = 24 * 60 * 60 * 1000;
const HOUR = 60 * 60 * 1000;

/** From a little in the past, for verifiers whose clock is behind. */
export function validity(days: number, now: Date): Validity {
  const notBefore = new Date(now.getTime() - clockTolerance(days));
  return { notBefore: toSecond(notBefore), notAfter: toSecond(new Date(now.getTime() + days * DAY)) };
}

/**
 * By how much clocks may differ, in milliseconds: an hour, and for short lives a tenth of them, so that a share of the span
 * between a certificate's dates says much the same as a share of its life.
 */
export function clockTolerance(days: number): number {
  return Math.min(HOUR, (days * DAY) / 10);
}

/** Certificates know no fractions of a second. */
function toSecond(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1000) * 1000);
}
