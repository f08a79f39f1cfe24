import type { ReadRef, ResourceRef } from '../../kube/resource.ts';
import { kindKey, type Scope, scopedReads } from '../../kube/scope.ts';
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

/** Objects of one kind that one watch tells of, and how that goes. */
export interface Kind {
  /** `ServiceAccount`, `Instrumentation.opentelemetry.io`. */
  readonly label: string;
  /** `namespace/name`, either of them `*` for any; empty where it is about all objects of the kind. */
  readonly within: string;
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly store: KindStore;
  readonly trim: Trim;
  state: KindState;
  aliveAt: number | undefined;
  /** Why the last attempt failed; undefined while all is well. */
  error: string | undefined;
}

/** By kind, whoever reads it: one where all of its objects are read, else one for each scope. */
export function kindsFrom(reads: readonly ReadRef[]): ReadonlyMap<string, readonly Kind[]> {
  const kinds = new Map<string, Kind[]>();
  for (const { ref, scope } of scopedReads(reads)) {
    const key = kindKey(ref);
    // Scopes may overlap: what is kept of an object is the same in each.
    const ofKind = reads.filter((read) => kindKey(read) === key);
    const kind: Kind = {
      label: ref.group === '' ? ref.kind : key,
      within: textOf(ref, scope),
      ref,
      scope,
      store: new KindStore(),
      trim: trimFor(ref, ofKind),
      state: 'listing',
      aliveAt: undefined,
      error: undefined,
    };
    kinds.set(key, [...(kinds.get(key) ?? []), kind]);
  }
  return kinds;
}

function textOf({ namespaced }: ResourceRef, { namespace, name }: Scope): string {
  if (namespace === undefined && name === undefined) return '';
  return namespaced ? `${namespace ?? '*'}/${name ?? '*'}` : (name ?? '');
}

/** Notes how it goes, with one line when something changes, and not for every attempt in between. */
export function note(kind: Kind, news: News, clock: Clock, log: ViewLog): void {
  const { label, within, store } = kind;
  const subject = { kind: label, ...(within !== '' && { within }) };
  switch (news.type) {
    case 'listed':
      kind.state = 'synced';
      kind.aliveAt = clock.now();
      log.info(
        { ...subject, objects: store.size, milliseconds: Math.round(news.milliseconds) },
        'kind listed',
      );
      return;
    case 'alive':
      kind.aliveAt = clock.now();
      if (kind.error !== undefined) log.info(subject, 'watch resumed');
      kind.error = undefined;
      return;
    case 'not installed':
      if (kind.state !== 'not installed') log.warn(subject, 'kind not installed in the cluster');
      kind.state = 'not installed';
      return;
    case 'lost':
      if (kind.error === undefined) log.warn({ ...subject, error: messageOf(news.error) }, 'watch lost');
      kind.error = messageOf(news.error);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
