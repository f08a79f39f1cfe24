import { PodgraftError } from '../podgraft-error.ts';

/** What an injector threw, with its name. */
export function injectorFailed(injector: string, cause: unknown): PodgraftError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PodgraftError('INJECTOR_FAILED', `Injector "${injector}" failed: ${message}`, { cause });
}
