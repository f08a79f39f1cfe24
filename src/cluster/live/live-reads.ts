import type { ObjectRef } from '../../kube/resource.ts';
import type { KubeClient } from '../client/client.ts';
import type { Clock } from './clock.ts';
import type { KindStore } from './kind-store.ts';
import { Recent } from './recent.ts';
import type { Trim } from './trim.ts';

export interface LiveReads {
  read(needs: readonly ObjectRef[], deadlineMs: number): Promise<void>;
  readonly counts: ReadCounts;
}

/** How live reads have ended so far. */
export interface ReadCounts {
  readonly found: number;
  readonly missing: number;
  readonly failed: number;
}

export interface LiveReadsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Where objects of a kind go; undefined for kinds that cannot be read. */
  readonly targetOf: (need: ObjectRef) => ReadTarget | undefined;
  readonly onFailure: (need: ObjectRef, error: unknown) => void;
}

export interface ReadTarget {
  readonly store: KindStore;
  readonly trim: Trim;
}

/** One read; who waits for it may wait shorter, and whoever comes later finds what it brought. */
const READ_TIMEOUT_MS = 3_000;
/** Not found, or failed: nobody asks again for so long. */
const QUIET_MS = 1_000;

/** Reads objects that the watch has not told of yet. */
export function createLiveReads({ client, clock, targetOf, onFailure }: LiveReadsOptions): LiveReads {
  const underWay = new Map<string, Promise<void>>();
  const quiet = new Recent(QUIET_MS);
  const counts = { found: 0, missing: 0, failed: 0 };

  function begin(need: ObjectRef): Promise<void> | undefined {
    const target = targetOf(need);
    if (target === undefined) return undefined;
    const namespace = need.ref.namespaced ? (need.namespace ?? '') : '';
    const { name } = need;
    if (target.store.get(namespace, name) !== undefined) return undefined;

    const key = `${need.ref.kind}.${need.ref.group}/${namespace}/${name}`;
    quiet.forgetExpired(clock.now());
    if (quiet.has(key, clock.now())) return undefined;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const reading = readOne(need, target, key).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  }

  async function readOne(need: ObjectRef, { store, trim }: ReadTarget, key: string): Promise<void> {
    try {
      const object = await client.get(need, { timeoutMs: READ_TIMEOUT_MS });
      if (object === undefined) {
        counts.missing++;
        quiet.add(key, clock.now());
        return;
      }
      counts.found++;
      store.putAhead(trim(object), clock.now());
    } catch (error) {
      counts.failed++;
      quiet.add(key, clock.now());
      onFailure(need, error);
    }
  }

  return {
    counts,
    async read(needs, deadlineMs) {
      const reading = needs.flatMap((need) => begin(need) ?? []);
      if (reading.length > 0) await within(deadlineMs, Promise.all(reading));
    },
  };
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeUp]);
  clearTimeout(timer);
}
