import { labelsOf } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { builtin, type ObjectRef, type ResourceRef } from '../kube/resource.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { KubeClient } from './client/client.ts';
import { type Clock, realClock } from './live/clock.ts';
import { followKind, type News } from './live/follow-kind.ts';
import { KindStore } from './live/kind-store.ts';
import { createLiveReads, type ReadCounts } from './live/live-reads.ts';
import { type ReadRef, type Trim, trimFor } from './live/trim.ts';

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

export type KindState = 'listing' | 'synced' | 'not installed';

export interface LiveViewOptions {
  readonly client: KubeClient;
  /** What the configured injectors read. Namespaces are watched in any case. */
  readonly reads: readonly ReadRef[];
  readonly log?: ViewLog;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** As much of a logger as is needed here; pino's is one. */
export interface ViewLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
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

interface Kind {
  readonly label: string;
  readonly ref: ResourceRef;
  readonly store: KindStore;
  readonly trim: Trim;
  state: KindState;
  aliveAt: number | undefined;
  /** Why the last attempt failed; undefined while all is well. */
  error: string | undefined;
}

function kindsFrom(reads: readonly ReadRef[]): ReadonlyMap<string, Kind> {
  const refs = new Map<string, [ReadRef, ...ReadRef[]]>();
  for (const ref of reads) {
    const known = refs.get(kindKey(ref));
    if (known === undefined) refs.set(kindKey(ref), [ref]);
    else known.push(ref);
  }
  return new Map(
    [...refs].map(([key, same]) => {
      const [ref] = same;
      const label = ref.group === '' ? ref.kind : key;
      const kind: Kind = {
        label,
        ref,
        store: new KindStore(),
        trim: trimFor(same),
        state: 'listing',
        aliveAt: undefined,
        error: undefined,
      };
      return [key, kind];
    }),
  );
}

/** One line when something changes, and not for every attempt in between. */
function note(kind: Kind, news: News, clock: Clock, log: ViewLog): void {
  const { label, store } = kind;
  switch (news.type) {
    case 'listed':
      kind.state = 'synced';
      kind.aliveAt = clock.now();
      log.info(
        { kind: label, objects: store.size, milliseconds: Math.round(news.milliseconds) },
        'kind listed',
      );
      return;
    case 'alive':
      kind.aliveAt = clock.now();
      if (kind.error !== undefined) log.info({ kind: label }, 'watch resumed');
      kind.error = undefined;
      return;
    case 'not installed':
      if (kind.state !== 'not installed') log.warn({ kind: label }, 'kind not installed in the cluster');
      kind.state = 'not installed';
      return;
    case 'lost':
      if (kind.error === undefined) log.warn({ kind: label, error: messageOf(news.error) }, 'watch lost');
      kind.error = messageOf(news.error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function kindKey({ kind, group }: ResourceRef): string {
  return `${kind}.${group}`;
}
