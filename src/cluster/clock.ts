import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the views and the registration see it; tests bring their own. */
export interface Clock {
  /** Wall-clock time, which dates certificates. It may be wrong, and it may jump. */
  now(): Date;
  /** Milliseconds on a monotonic clock. */
  uptime(): number;
  /** Ends early, without an error, when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  uptime: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
};
