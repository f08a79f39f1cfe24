export interface BlockedClock {
  /** Called at a regular interval; returns for how many milliseconds there has been no new beat. */
  look(beats: number): number;
  blocked(): number;
}

/**
 * Counts looks instead of reading the time: a process that was stopped, or a machine that was suspended, has not been blocked.
 */
export function createBlockedClock(interval: number): BlockedClock {
  let known = 0;
  let looks = 0;
  return {
    look(beats) {
      looks = beats === known ? looks + 1 : 0;
      known = beats;
      return looks * interval;
    },
    blocked: () => looks * interval,
  };
}
