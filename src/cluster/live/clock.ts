import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the view sees it. */
export interface Clock {
  /** Milliseconds, from anywhere. */
  now(): number;
  /** Ends early, without an error, when the signal fires. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
};
