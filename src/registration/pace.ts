import { isRefusal } from '../cluster/client/api-error.ts';
import type { Clock } from './clock.ts';
import type { Round } from './reconcile.ts';

const FIRST_RETRY_MS = 500;
/** More than any rotation needs: somebody else keeps writing what we write. */
const MOST_IN_A_ROW = 10;
/** Of which nothing wakes us: that is how often we insist where another controller disagrees. */
const LEAST_REST_MS = 1000;

/** The rests between rounds. */
export class Pace {
  #restMs = 0;
  #failures = 0;
  #inARow = 0;
  #nap = new AbortController();
  readonly #pollMs: number;
  readonly #clock: Clock;
  readonly #end: AbortSignal;

  constructor(pollMs: number, clock: Clock, end: AbortSignal) {
    this.#pollMs = pollMs;
    this.#clock = clock;
    this.#end = end;
    end.addEventListener('abort', () => this.wake(), { once: true });
  }

  after(round: Round): void {
    this.#failures = 0;
    this.#inARow = round === 'again' ? this.#inARow + 1 : 0;
    this.#restMs = this.#inARow > 0 && this.#inARow <= MOST_IN_A_ROW ? 0 : this.#pollMs;
  }

  afterError(error: unknown): void {
    const asked = isRefusal(error) ? (error.retryAfterMs ?? 0) : 0;
    const backOff = FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 10);
    this.#restMs = Math.max(asked, Math.min(this.#pollMs, backOff));
  }

  async rest(): Promise<void> {
    const least = Math.min(this.#restMs, LEAST_REST_MS);
    if (least > 0) await this.#clock.sleep(least, this.#end);
    if (this.#restMs > least) await this.#clock.sleep(this.#restMs - least, this.#nap.signal);
    // What happens from here on, while a round runs, shortens the rest after it.
    if (!this.#end.aborted) this.#nap = new AbortController();
  }

  wake(): void {
    this.#nap.abort();
  }
}
