import { PodgraftError } from '../../podgraft-error.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  restart(timeoutMs: number): void;
  /** For work that cannot be aborted: only stops waiting for it. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** The error to throw for one that occurred under this deadline: the reason for the abort, if there was one. */
  explain(error: unknown): unknown;
  release(): void;
}

/**
 * A signal that fires when the caller's signal does or when time is up. Not `AbortSignal.any`: that would tie every call to the
 * signal that ends the process, for as long as the process lives.
 */
export function startDeadline(what: string, timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = () => controller.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });

  let timer: NodeJS.Timeout | undefined;
  const restart = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const message = `Cannot ${what}: no answer within ${milliseconds} ms`;
      controller.abort(new PodgraftError('CLUSTER_API_UNREACHABLE', message));
    }, milliseconds);
  };
  restart(timeoutMs);

  return {
    signal,
    restart,
    race: (promise) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        promise.then(resolve, reject);
      }),
    explain: (error) => (signal.aborted ? signal.reason : error),
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
