import { setTimeout as sleep } from 'node:timers/promises';

export type Patience = { within?: number; every?: number };

/** Polls until `probe` returns something other than undefined or false; an exception counts as "not yet". */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { within = 30_000, every = 50 }: Patience = {},
): Promise<T> {
  const deadline = Date.now() + within;
  let lastError: unknown;
  while (Date.now() < deadline) {
    try {
      const found = await probe();
      if (found !== undefined && found !== false) return found;
      lastError = undefined;
    } catch (error) {
      if (error instanceof GiveUp) throw error;
      lastError = error;
    }
    await sleep(every);
  }
  throw new Error(`Timed out after ${within} ms: ${what}`, { cause: lastError });
}

/** Thrown by a probe to stop waiting. */
export class GiveUp extends Error {}
