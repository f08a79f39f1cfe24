import type { FailedRead, ObjectRef } from '../../sdk/reads.ts';
import type { KubeClient } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import { type KindWatch, messageOf, type ViewLog } from './kind-watch.ts';

/** Live reads so far, by result. */
export interface ReadCounts {
  readonly found: number;
  readonly missing: number;
  readonly failed: number;
}

export interface LiveReadsOptions {
  readonly client: Pick<KubeClient, 'get'>;
  readonly clock: Clock;
  readonly log: ViewLog;
  /** The watch that will report the object; undefined if it must not or cannot be read. */
  readonly watchOf: (need: ObjectRef) => Target | undefined;
}

type Target = Pick<KindWatch, 'store' | 'trim'>;

/** Undefined after a successful read, whether the object exists or not. */
type Failure = string | undefined;

/** Callers may wait for a shorter time; the result then serves the next caller. */
const READ_TIMEOUT_MS = 3_000;
/** After a read that found nothing or failed, the object is not read again for this long. */
const QUIET_MS = 1_000;
/** Names come from anyone who creates Pods. Beyond these, the oldest may be read again. */
const MOST_QUIET = 10_000;

/** Reads objects that the watch has not reported yet. Concurrent reads of one object are a single call. */
export function createLiveReads({ client, clock, log, watchOf }: LiveReadsOptions) {
  const pending = new Map<string, Promise<Failure>>();
  /** By object, soonest end first. */
  const quiet = new Map<string, { readonly end: number; readonly failure: Failure }>();
  const counts = { found: 0, missing: 0, failed: 0 };

  function forgetQuiet(): void {
    for (const [key, { end }] of quiet) {
      if (clock.uptime() < end && quiet.size <= MOST_QUIET) break;
      quiet.delete(key);
    }
  }

  /** Undefined if there is nothing to read. */
  function begin(need: ObjectRef): Promise<Failure> | undefined {
    const watch = watchOf(need);
    const { ref, name } = need;
    const namespace = ref.namespaced ? (need.namespace ?? '') : '';
    if (watch === undefined || watch.store.get(namespace, name) !== undefined) return undefined;
    const key = `${ref.kind}.${ref.group}/${namespace}/${name}`;
    forgetQuiet();
    const last = quiet.get(key);
    if (last !== undefined) return Promise.resolve(last.failure);
    const reading = pending.get(key) ?? readOne(need, watch, key).finally(() => pending.delete(key));
    pending.set(key, reading);
    return reading;
  }

  async function readOne(need: ObjectRef, { store, trim }: Target, key: string): Promise<Failure> {
    let failure: Failure;
    try {
      const object = await client.get(need, { timeoutMs: READ_TIMEOUT_MS });
      if (object !== undefined) {
        counts.found++;
        store.putAhead(trim(object), clock.uptime());
        return undefined;
      }
      counts.missing++;
    } catch (error) {
      counts.failed++;
      const { ref, namespace, name } = need;
      failure = messageOf(error);
      log.warn({ kind: ref.kind, namespace, name, error: failure }, 'live read failed');
    }
    quiet.set(key, { end: clock.uptime() + QUIET_MS, failure });
    forgetQuiet();
    return failure;
  }

  return {
    counts: counts as ReadCounts,
    async read(needs: readonly ObjectRef[], deadlineMs: number): Promise<readonly FailedRead[]> {
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<Failure>((resolve) => {
        timer = setTimeout(resolve, deadlineMs, 'timed out');
      });
      const failures = await Promise.all(needs.map((need) => Promise.race([begin(need), deadline])));
      clearTimeout(timer);
      return needs.flatMap((need, index) => {
        const reason = failures[index];
        return reason === undefined ? [] : [{ need, reason }];
      });
    },
  };
}
