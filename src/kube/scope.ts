import type { ReadRef, ResourceRef } from './resource.ts';

/** Which objects of a kind: all of them, those of one namespace, those of one name, or the one with both. */
export interface Scope {
  readonly namespace?: string;
  readonly name?: string;
}

/** Objects of one kind within one scope, and everything that is read of them. */
export interface ScopedReads<R extends ReadRef> {
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly reads: readonly R[];
}

/**
 * The fewest scopes that hold all that is read: a wide one stands for the narrow ones within. Watches and rights are both made
 * from it, so that nothing is asked for that is not allowed, and nothing is allowed that is not asked for.
 */
export function scopedReads<R extends ReadRef>(reads: readonly R[]): readonly ScopedReads<R>[] {
  let widest: readonly R[] = [];
  for (const read of reads) {
    if (widest.some((known) => contains(known, read))) continue;
    widest = [...widest.filter((known) => !contains(read, known)), read];
  }
  return widest.map((wide) => ({
    ref: wide,
    scope: scopeOf(wide),
    reads: reads.filter((read) => contains(wide, read)),
  }));
}

/** Without a namespace where the kind has none. */
export function scopeOf({ namespaced, namespace, name }: ReadRef): Scope {
  return {
    ...(namespaced && namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

export function covers(wide: Scope, narrow: Scope): boolean {
  return (
    (wide.namespace === undefined || wide.namespace === narrow.namespace) &&
    (wide.name === undefined || wide.name === narrow.name)
  );
}

/** The version does not count: objects are the same in all of them. */
export function kindKey(ref: ResourceRef): string {
  const known = kindKeys.get(ref);
  if (known !== undefined) return known;
  const key = `${ref.kind}.${ref.group}`;
  kindKeys.set(ref, key);
  return key;
}

/** Injectors look things up for every object, by refs that they hold on to. */
const kindKeys = new WeakMap<ResourceRef, string>();

function contains(wide: ReadRef, narrow: ReadRef): boolean {
  return kindKey(wide) === kindKey(narrow) && covers(scopeOf(wide), scopeOf(narrow));
}
