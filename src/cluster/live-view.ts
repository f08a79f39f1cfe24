import { labelsOf } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { builtin, type ObjectRef, type ReadRef, type ResourceRef } from '../kube/resource.ts';
import { covers, kindKey } from '../kube/scope.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { KubeClient } from './client/client.ts';
import { type Clock, realClock } from './live/clock.ts';
import { followKind } from './live/follow-kind.ts';
import { type KindState, kindsFrom, messageOf, note, type ViewLog } from './live/kind.ts';
import { createLiveReads, type ReadCounts } from './live/live-reads.ts';
import { mergedLists } from './live/merged-lists.ts';

/** A cluster view that follows a live cluster. One that has lost its watch goes on serving what it has. */
export interface LiveView extends ClusterView {
  /** Follows the cluster until the signal fires; resolves when all watches have ended, and never rejects. */
  start(signal: AbortSignal): Promise<void>;
  /** Whether everything that is read, of kinds that the cluster has, was listed once; `detail` tells what is missing or not installed. */
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

/** Of one watch. */
export interface KindStatus {
  /** `ServiceAccount`, `Instrumentation.opentelemetry.io`. */
  readonly kind: string;
  /** `namespace/name`, either of them `*` for any; empty where it is about all objects of the kind. */
  readonly within: string;
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
  const all = [...kinds.values()].flat();
  const ofKind = (ref: ResourceRef) => kinds.get(kindKey(ref)) ?? [];
  const liveReads = createLiveReads({
    client,
    clock,
    targetOf(need) {
      const kind = ofKind(need.ref).find(({ scope }) => covers(scope, need));
      return kind?.state === 'not installed' ? undefined : kind;
    },
    onFailure: ({ ref, namespace, name }, error) =>
      log.warn({ kind: ref.kind, namespace, name, error: messageOf(error) }, 'live read failed'),
  });

  return {
    get(ref, namespace, name) {
      for (const { store } of ofKind(ref)) {
        const object = store.get(ref.namespaced ? (namespace ?? '') : '', name);
        if (object !== undefined) return object;
      }
      return undefined;
    },
    list(ref, namespace, selector) {
      const objects = mergedLists(ofKind(ref).map(({ store }) => store.list(namespace)));
      if (selector === undefined) return objects;
      return objects.filter((object) => matchesSelector(selector, labelsOf(object)));
    },
    async start(signal) {
      const following = all.map((kind) =>
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
    synced: () => ({
      synced: all.every(({ state }) => state !== 'listing'),
      detail: all.flatMap(({ label, within, state, error }) => {
        if (state === 'synced') return [];
        const subject = within === '' ? label : `${label} ${within}`;
        return `${subject}: ${state === 'listing' ? `not listed yet${error ? ` (${error})` : ''}` : state}`;
      }),
    }),
    kinds: () =>
      all.map(({ label, within, state, store, aliveAt }) => ({
        kind: label,
        within,
        state,
        objects: store.size,
        ageSeconds: aliveAt === undefined ? undefined : (clock.now() - aliveAt) / 1000,
      })),
    reads: liveReads.counts,
    read: liveReads.read,
  };
}
