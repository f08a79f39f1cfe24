/** How long the caller waits, as it says in `?timeout=10s`. */
export interface Deadline {
  elapsed(): number;
  /** Milliseconds until the caller gives up. */
  left(): number;
}

/** The API server's default, for callers that do not say. */
const DEFAULT_MS = 10_000;
const MAX_MS = 30_000;

export function deadlineOf(url: string): Deadline {
  const start = performance.now();
  const total = timeoutOf(url);
  return {
    elapsed: () => performance.now() - start,
    left: () => start + total - performance.now(),
  };
}

function timeoutOf(url: string): number {
  const match = /[?&]timeout=(\d{1,5})(ms|s|m)?(?:&|$)/.exec(url);
  if (match === null) return DEFAULT_MS;
  const unit = match[2] === 'ms' ? 1 : match[2] === 'm' ? 60_000 : 1000;
  return Math.min(MAX_MS, Number(match[1]) * unit);
}
