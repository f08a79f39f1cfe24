import { isRefusal } from '../cluster/client/api-error.ts';
import type { Clock } from '../cluster/clock.ts';
import type { Round } from './reconcile.ts';

const FIRST_RETRY_MS = 500;
/** More than any rotation needs: beyond it, another controller keeps reverting podgraft's writes. */
const MOST_IN_A_ROW = 10;
/** A change does not end this part of the rest, which limits how often podgraft fights another controller. */
const LEAST_REST_MS = 1000;

/** The rests between rounds. `wake` ends one early. */
export function createPace(pollMs: number, clock: Clock, end: AbortSignal) {
  let restMs = 0;
  let failures = 0;
  let inARow = 0;
  let nap = new AbortController();
  const wake = () => nap.abort();
  end.addEventListener('abort', wake, { once: true });
  return {
    after(round: Round) {
      failures = 0;
      inARow = round === 'again' ? inARow + 1 : 0;
      restMs = inARow > 0 && inARow <= MOST_IN_A_ROW ? 0 : pollMs;
    },
    afterError(error: unknown) {
      const requested = isRefusal(error) ? (error.retryAfterMs ?? 0) : 0;
      const backOff = FIRST_RETRY_MS * 2 ** Math.min(failures++, 10);
      restMs = Math.max(requested, Math.min(pollMs, backOff));
    },
    async rest() {
      const least = Math.min(restMs, LEAST_REST_MS);
      if (least > 0) await clock.sleep(least, end);
      if (restMs > least) await clock.sleep(restMs - least, nap.signal);
      // A change during the next round shortens the rest after it.
      if (!end.aborted) nap = new AbortController();
    },
    wake,
  };
}
