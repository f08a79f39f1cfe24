import { labelsOf } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { builtin, type ObjectRef, type ReadRef } from '../kube/resource.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { KubeClient } from './client/client.ts';
import { type Clock, realClock } from './live/clock.ts';
import { followKind } from './live/follow-kind.ts';
import { type KindState, kindKey, kindsFrom, messageOf, note, type ViewLog } from './live/kind.ts';
import { createLiveReads, type ReadCounts } from './live/live-reads.ts';

/** A cluster view that follows a live cluster. One that has lost its watch goes on serving what it has. */
export interface LiveView extends ClusterView {
  /** Follows the cluster until the signal fires; resolves when all watches have ended, and never rejects. */
  start(signal: AbortSignal): Promise<void>;
  /** Whether every kind that the cluster has was listed once; `detail` tells what is missing or not installed. */
  synced(): { readonly synced: boolean; readonly detail: readonly string[] };
  /** For metrics. */
  kinds(): readonly KindStatus[];
  /** For metrics. */
  readonly reads: ReadCounts;
  /**
   * Reads objects that are not in the view yet and waits for them, but no longer than `deadlineMs`. Never throws: what could
   * not be read stays absent.
   */
  read(needs: readonly ObjectRef[], deadlineMs: number): Promise<void>;
}

export interface KindStatus {
  /** `ServiceAccount`, `Instrumentation.opentelemetry.io`. */
  readonly kind: string;
  readonly state: KindState;
  readonly objects: number;
  /** Since the watch last gave a sign of life, which it does about once a minute; undefined before the first one. */
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
  const { client, log = SILENT, clock = realClock, random = Math.random } = options;
  const kinds = kindsFrom([{ ...builtin('Namespace'), fields: [] }, ...options.reads]);
  const liveReads = createLiveReads({
    client,
    clock,
    targetOf({ ref }) {
      const kind = kinds.get(kindKey(ref));
      return kind?.state === 'not installed' ? undefined : kind;
    },
    onFailure: ({ ref, namespace, name }, error) =>
      log.warn({ kind: ref.kind, namespace, name, error: messageOf(error) }, 'live read failed'),
  });

  return {
    get: (ref, namespace, name) =>
      kinds.get(kindKey(ref))?.store.get(ref.namespaced ? (namespace ?? '') : '', name),
    list(ref, namespace, selector) {
      const objects = kinds.get(kindKey(ref))?.store.list(namespace) ?? [];
      if (selector === undefined) return objects;
      return objects.filter((object) => matchesSelector(selector, labelsOf(object)));
    },
    async start(signal) {
      const following = [...kinds.values()].map((kind) =>
        followKind({
          ...kind,
          client,
          clock,
          random,
          signal,
          report: (news) => note(kind, news, clock, log),
        }),
      );
      await Promise.all(following);
    },
    synced() {
      const all = [...kinds.values()];
      return {
        synced: all.every(({ state }) => state !== 'listing'),
        detail: all.flatMap(({ label, state, error }) => {
          if (state === 'synced') return [];
          return `${label}: ${state === 'listing' ? `not listed yet${error ? ` (${error})` : ''}` : state}`;
        }),
      };
    },
    kinds: () =>
      [...kinds.values()].map(({ label, state, store, aliveAt }) => ({
        kind: label,
        state,
        objects: store.size,
        ageSeconds: aliveAt === undefined ? undefined : (clock.now() - aliveAt) / 1000,
      })),
    reads: liveReads.counts,
    read: liveReads.read,
  };
}
