const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Shorter intervals would keep the server auditing all the time; longer ones overflow Node's timers. */
const LEAST_MS = 10_000;
const MOST_MS = 24 * UNITS.h;

/** `90s`, `15m` or `1h` in milliseconds; undefined if invalid or out of range. */
export function millisecondsOf(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,6})([smh])$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const milliseconds = Number(digits) * UNITS[unit as keyof typeof UNITS];
  return milliseconds >= LEAST_MS && milliseconds <= MOST_MS ? milliseconds : undefined;
}
