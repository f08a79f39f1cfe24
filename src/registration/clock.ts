import { setTimeout as sleep } from 'node:timers/promises';

/** Time as a replica knows it; tests bring their own. */
export interface Clock {
  /** What certificates are dated by. May be wrong, and may jump. */
  now(): Date;
  /** Milliseconds since some moment; never jumps. */
  uptime(): number;
  /** About this long; at once when the signal says so. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  uptime: () => performance.now(),
  // Spread a little, so that replicas that began together do not march in step.
  sleep: (ms, signal) => sleep(ms * (0.9 + 0.2 * Math.random()), undefined, { signal }).catch(() => {}),
};
