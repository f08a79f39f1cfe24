import type { ReadRef, ResourceRef } from '../../kube/resource.ts';
import type { Clock } from './clock.ts';
import type { News } from './follow-kind.ts';
import { KindStore } from './kind-store.ts';
import { type Trim, trimFor } from './trim.ts';

export type KindState = 'listing' | 'synced' | 'not installed';

/** As much of a logger as is needed here; pino's is one. */
export interface ViewLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** One kind that is followed, and how that goes. */
export interface Kind {
  readonly label: string;
  readonly ref: ResourceRef;
  readonly store: KindStore;
  readonly trim: Trim;
  state: KindState;
  aliveAt: number | undefined;
  /** Why the last attempt failed; undefined while all is well. */
  error: string | undefined;
}

/** One for each kind, whoever reads it. */
export function kindsFrom(reads: readonly ReadRef[]): ReadonlyMap<string, Kind> {
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

/** Notes how it goes, with one line when something changes, and not for every attempt in between. */
export function note(kind: Kind, news: News, clock: Clock, log: ViewLog): void {
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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The version does not count: objects are the same in all of them. */
export function kindKey({ kind, group }: ResourceRef): string {
  return `${kind}.${group}`;
}
