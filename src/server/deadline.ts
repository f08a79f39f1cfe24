/** When a call arrived, and when its caller gives up. */
export interface Deadline {
  readonly start: number;
  readonly end: number;
}

/** The API server's default, for callers without `?timeout=`. */
const DEFAULT_MS = 10_000;
const MAX_MS = 30_000;

/** From `?timeout=10s`, which the API server adds to every call. */
export function deadlineOf(url: string): Deadline {
  const start = performance.now();
  return { start, end: start + timeoutOf(url) };
}

export function millisecondsLeft({ end }: Deadline): number {
  return end - performance.now();
}

function timeoutOf(url: string): number {
  const match = /[?&]timeout=(\d{1,5})(ms|s|m)?(?:&|$)/.exec(url);
  if (match === null) return DEFAULT_MS;
  const unit = match[2] === 'ms' ? 1 : match[2] === 'm' ? 60_000 : 1000;
  return Math.min(MAX_MS, Number(match[1]) * unit);
}
