import type { ResourceRef } from '../kube/resource.ts';

/** Objects that an injector looks up, and how much of them it needs. */
export interface ReadRef extends ResourceRef {
  /** All namespaces if absent. */
  readonly namespace?: string;
  /** All names if absent. */
  readonly name?: string;
  /**
   * Fields to keep besides apiVersion, kind and metadata: `spec`, or a nested one such as `status.nodeInfo`. All but
   * `status` if absent.
   */
  readonly fields?: readonly string[];
}

/** One object of the cluster; no namespace for cluster-scoped kinds. */
export interface ObjectRef {
  readonly ref: ResourceRef;
  readonly namespace?: string;
  readonly name: string;
}

/** An object that could not be read. That is not the same as an object that does not exist. */
export interface FailedRead {
  readonly need: ObjectRef;
  readonly reason: string;
}

/** Which objects of a kind: all, those of one namespace, those of one name, or the one with both. */
export interface Scope {
  readonly namespace?: string;
  readonly name?: string;
}

/** Objects of one kind within one scope, and every read of them. */
export interface ScopedReads<R extends ReadRef> {
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly reads: readonly R[];
}

/**
 * The fewest scopes that contain all reads. Watches and RBAC rules are both derived from them, so that the server watches
 * exactly what it may read.
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

/** Without a namespace if the kind is cluster-scoped. */
export function scopeOf({ namespaced, namespace, name }: ReadRef): Scope {
  return {
    ...(namespaced && namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

export function includesScope(wide: Scope, narrow: Scope): boolean {
  return (
    (wide.namespace === undefined || wide.namespace === narrow.namespace) &&
    (wide.name === undefined || wide.name === narrow.name)
  );
}

/** Without the version: an object is the same in every version. */
export function kindKey(ref: ResourceRef): string {
  return `${ref.kind}.${ref.group}`;
}

function contains(wide: ReadRef, narrow: ReadRef): boolean {
  return kindKey(wide) === kindKey(narrow) && includesScope(scopeOf(wide), scopeOf(narrow));
}
