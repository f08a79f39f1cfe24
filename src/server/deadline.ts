/** How long the caller waits, as it says in `?timeout=10s`. */
export interface Deadline {
  readonly start: number;
  /** When the caller gives up. */
  readonly end: number;
}

/** The API server's default, for callers that do not say. */
const DEFAULT_MS = 10_000;
const MAX_MS = 30_000;

export function deadlineOf(url: string): Deadline {
  const start = performance.now();
  return { start, end: start + timeoutOf(url) };
}

export function millisecondsLeft({ end }: Deadline): number {
  return end - performance.now();
}

function timeoutOf(url: string): number {
  // The API server asks for the same again and again.
  if (url === lastUrl) return lastTimeout;
  const match = /[?&]timeout=(\d{1,5})(ms|s|m)?(?:&|$)/.exec(url);
  const unit = match?.[2] === 'ms' ? 1 : match?.[2] === 'm' ? 60_000 : 1000;
  lastUrl = url;
  lastTimeout = match === null ? DEFAULT_MS : Math.min(MAX_MS, Number(match[1]) * unit);
  return lastTimeout;
}

let lastUrl = '';
let lastTimeout = DEFAULT_MS;
