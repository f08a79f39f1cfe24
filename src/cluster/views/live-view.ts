import { setMaxListeners } from 'node:events';
import { builtin } from '../../kube/resource.ts';
import type { ClusterView } from '../../sdk/cluster-view.ts';
import type { FailedRead, ObjectRef, ReadRef } from '../../sdk/reads.ts';
import { includesScope, kindKey } from '../../sdk/reads.ts';
import type { KubeClient } from '../client/client.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type KindWatch, kindWatches, type ViewLog } from './kind-watch.ts';
import { createLiveReads, type ReadCounts } from './live-reads.ts';
import { storeView } from './store-view.ts';

/** A cluster view that follows a live cluster. When a watch is lost, it keeps serving the last known objects. */
export interface LiveView extends ClusterView {
  /** Follows the cluster until the signal fires. Resolves when all watches have ended; never rejects. */
  start(signal: AbortSignal): Promise<void>;
  /** Synced once every watched kind that the cluster has was listed; `detail` names kinds that are missing or not listed yet. */
  synced(): { readonly synced: boolean; readonly detail: readonly string[] };
  /** For metrics. */
  kinds(): readonly KindStatus[];
  /** For metrics. */
  readonly reads: ReadCounts;
  /**
   * Reads the objects that the view does not hold yet, and waits for them up to `deadlineMs`. Never rejects: resolves with the
   * objects that could not be read.
   */
  read(needs: readonly ObjectRef[], deadlineMs: number): Promise<readonly FailedRead[]>;
}

/** The status of one watch. */
export interface KindStatus extends Readonly<Pick<KindWatch, 'kind' | 'within' | 'state'>> {
  readonly objects: number;
  /** Since the last sign of life, of which there is about one a minute; undefined before the first. */
  readonly ageSeconds: number | undefined;
}

export interface LiveViewOptions {
  readonly client: KubeClient;
  /** What the configured injectors read. Namespaces are watched in any case. */
  readonly reads: readonly ReadRef[];
  readonly log?: ViewLog;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const SILENT: ViewLog = { info: () => {}, warn: () => {} };

export function createLiveView(options: LiveViewOptions): LiveView {
  const { client, log = SILENT, clock = systemClock, random = Math.random } = options;
  const reads = [{ ...builtin('Namespace'), fields: [] }, ...options.reads];
  const watches = kindWatches(reads, { client, clock, random, log });
  const liveReads = createLiveReads({
    client,
    clock,
    log,
    watchOf(need) {
      const key = kindKey(need.ref);
      const watch = watches.find(({ ref, scope }) => kindKey(ref) === key && includesScope(scope, need));
      return watch?.state === 'not installed' ? undefined : watch;
    },
  });

  return {
    ...storeView(watches),
    async start(signal) {
      // Every watch listens to the signal, and Node warns of a leak at the eleventh listener.
      setMaxListeners(0, signal);
      await Promise.all(watches.map((watch) => watch.follow(signal)));
    },
    synced: () => ({
      synced: watches.every(({ state }) => state !== 'listing'),
      detail: watches.flatMap(({ kind, within, state, error }) => {
        if (state === 'synced') return [];
        const subject = within === '' ? kind : `${kind} ${within}`;
        return `${subject}: ${state === 'listing' ? `not listed yet${error ? ` (${error})` : ''}` : state}`;
      }),
    }),
    kinds: () =>
      watches.map(({ kind, within, state, store, aliveAt }) => ({
        kind,
        within,
        state,
        objects: store.size,
        ageSeconds: aliveAt === undefined ? undefined : (clock.uptime() - aliveAt) / 1000,
      })),
    reads: liveReads.counts,
    read: liveReads.read,
  };
}
