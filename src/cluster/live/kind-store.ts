import type { KubeObject } from '../../kube/kube-object.ts';
import { isUpTo } from './resource-version.ts';

/** How long an object that only a live read has seen may stay, where versions do not tell whether it is gone again. */
const UNCONFIRMED_MS = 30_000;

/** The objects of one kind, by namespace and name. */
export class KindStore {
  #namespaces = new Map<string, Bucket>();
  #all: readonly KubeObject[] | undefined;
  #size = 0;
  /** Up to here all has been told by lists and watches. */
  #version = '';
  /** Objects that only a live read has seen, and since when. */
  readonly #unconfirmed = new Map<string, { readonly object: KubeObject; readonly readAt: number }>();

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#namespaces.get(namespace)?.byName.get(name);
  }

  /** In the order of names, so that all replicas see the same first one. */
  list(namespace?: string): readonly KubeObject[] {
    if (namespace !== undefined) return sorted(this.#namespaces.get(namespace));
    this.#all ??= [...this.#namespaces.keys()].sort().flatMap((each) => sorted(this.#namespaces.get(each)));
    return this.#all;
  }

  /** What the watch tells. */
  put(object: KubeObject): void {
    this.#unconfirmed.delete(keyOf(object));
    this.#set(object);
  }

  remove(object: KubeObject): void {
    this.#unconfirmed.delete(keyOf(object));
    this.#delete(object);
  }

  /** What a list tells. Objects that a live read has seen may be newer than the list. */
  replace(objects: readonly KubeObject[], version: string, now: number): void {
    this.#namespaces = new Map();
    this.#all = undefined;
    this.#size = 0;
    for (const { object } of this.#unconfirmed.values()) this.#set(object);
    for (const object of objects) this.put(object);
    this.reached(version, now);
  }

  /** All up to this version has been told. What a live read has seen of that time, and nobody told of, is gone again. */
  reached(version: string, now: number): void {
    this.#version = version;
    for (const [key, { object, readAt }] of this.#unconfirmed) {
      const isGone = isUpTo(object.metadata.resourceVersion, version) ?? now - readAt >= UNCONFIRMED_MS;
      if (!isGone) continue;
      this.#unconfirmed.delete(key);
      this.#delete(object);
    }
  }

  /** What a live read tells: it counts until the watch has come so far. */
  putAhead(object: KubeObject, now: number): void {
    const { namespace = '', name = '', resourceVersion } = object.metadata;
    // The watch may have been faster, and then it knows more.
    if (this.get(namespace, name) !== undefined || isUpTo(resourceVersion, this.#version)) return;
    this.#unconfirmed.set(keyOf(object), { object, readAt: now });
    this.#set(object);
  }

  #set(object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    let bucket = this.#namespaces.get(namespace);
    if (bucket === undefined) {
      bucket = { byName: new Map(), sorted: undefined };
      this.#namespaces.set(namespace, bucket);
    }
    if (!bucket.byName.has(name)) this.#size++;
    bucket.byName.set(name, object);
    bucket.sorted = undefined;
    this.#all = undefined;
  }

  #delete({ metadata: { namespace = '', name = '' } }: KubeObject): void {
    const bucket = this.#namespaces.get(namespace);
    if (!bucket?.byName.delete(name)) return;
    this.#size--;
    bucket.sorted = undefined;
    this.#all = undefined;
    if (bucket.byName.size === 0) this.#namespaces.delete(namespace);
  }
}

interface Bucket {
  readonly byName: Map<string, KubeObject>;
  /** Made when it is asked for: most namespaces never are. */
  sorted: readonly KubeObject[] | undefined;
}

function sorted(bucket: Bucket | undefined): readonly KubeObject[] {
  if (bucket === undefined) return [];
  bucket.sorted ??= [...bucket.byName.keys()].sort().flatMap((name) => bucket.byName.get(name) ?? []);
  return bucket.sorted;
}

/** Neither part can hold a slash. */
function keyOf({ metadata: { namespace = '', name = '' } }: KubeObject): string {
  return `${namespace}/${name}`;
}
