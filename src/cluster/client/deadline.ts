import { PodgraftError } from '../../podgraft-error.ts';

/**
 * A signal that fires on the caller's own and when time is up, whose timer can be set anew. By hand and not by
 * `AbortSignal.any`: there every call of a long life would stay tied to the signal that ends the process.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #what: string;
  readonly #outer: AbortSignal | undefined;
  readonly #onAbort = () => this.#controller.abort(this.#outer?.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(what: string, timeoutMs: number, outer?: AbortSignal) {
    this.#what = what;
    this.#outer = outer;
    if (outer?.aborted) this.#onAbort();
    outer?.addEventListener('abort', this.#onAbort, { once: true });
    this.extend(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Time starts anew. */
  extend(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const message = `Cannot ${this.#what}: no answer within ${timeoutMs} ms`;
      this.#controller.abort(new PodgraftError('CLUSTER_API_UNREACHABLE', message));
    }, timeoutMs);
  }

  /** For what cannot be ended itself: it is waited for no longer. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this;
    let onAbort = () => {};
    const ended = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** What to throw for an error that came up under this deadline: the reason why it was ended, if it was. */
  explain(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onAbort);
  }
}
