import type { KubeObject } from '../../kube/kube-object.ts';
import { ObjectStore } from './object-store.ts';

/** How long an object found by a live read alone may stay if its version cannot be compared with the watch's. */
const UNCONFIRMED_MS = 30_000;

/** The objects that lists and watches report, and those that so far only a live read has found. */
export class KindStore extends ObjectStore {
  /** Lists and watches have reported everything up to this version. */
  #version = '';
  readonly #unconfirmed = new Map<string, { readonly object: KubeObject; readonly readAt: number }>();

  override put(object: KubeObject): void {
    this.#unconfirmed.delete(namespacedName(object));
    super.put(object);
  }

  override remove(object: KubeObject): void {
    this.#unconfirmed.delete(namespacedName(object));
    super.remove(object);
  }

  /** Takes the result of a list. Objects found by a live read may be newer than the list, so they stay for now. */
  replace(objects: readonly KubeObject[], version: string, now: number): void {
    this.clear();
    for (const { object } of this.#unconfirmed.values()) super.put(object);
    for (const object of objects) this.put(object);
    this.advance(version, now);
  }

  /** Everything up to `version` has been reported: an object that a live read found before it, but no event reported, has been deleted. */
  advance(version: string, now: number): void {
    this.#version = version;
    for (const { object, readAt } of this.#unconfirmed.values()) {
      const isGone = isUpTo(object.metadata.resourceVersion, version) ?? now - readAt >= UNCONFIRMED_MS;
      if (isGone) this.remove(object);
    }
  }

  /** Takes the result of a live read, unless the watch is already ahead. */
  putAhead(object: KubeObject, now: number): void {
    const { namespace = '', name = '', resourceVersion } = object.metadata;
    if (this.get(namespace, name) !== undefined || isUpTo(resourceVersion, this.#version)) return;
    this.#unconfirmed.set(namespacedName(object), { object, readAt: now });
    super.put(object);
  }
}

/** Neither part can contain a slash. */
function namespacedName({ metadata: { namespace = '', name = '' } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/**
 * Whether a watch that has reached version `other` has reported version `one`. Undefined unless both are decimal numbers: versions of
 * Kubernetes' own storage are, and may be compared as such (KEP-5504); those of an aggregated API server may be anything.
 */
export function isUpTo(one: string | undefined, other: string): boolean | undefined {
  if (one === undefined || !DECIMAL.test(one) || !DECIMAL.test(other)) return undefined;
  // Compared as text, since a double cannot hold them exactly. There are no leading zeros, so more digits mean more.
  return one.length === other.length ? one <= other : one.length < other.length;
}

const DECIMAL = /^[1-9][0-9]*$/;
