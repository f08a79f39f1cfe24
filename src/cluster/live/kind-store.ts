import type { KubeObject } from '../../kube/kube-object.ts';
import { Recent } from './recent.ts';

/** How long an object that only a live read has seen may stay, when the watch never tells of it: it may be gone again. */
const UNCONFIRMED_MS = 30_000;

/** The objects of one kind, by namespace and name. */
export class KindStore {
  #namespaces = new Map<string, Bucket>();
  #all: readonly KubeObject[] | undefined;
  #size = 0;
  readonly #unconfirmed = new Recent(UNCONFIRMED_MS);

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
    this.#delete(object.metadata.namespace ?? '', object.metadata.name ?? '');
  }

  /** What a list tells. Objects that a live read has seen a moment ago may be newer than the list. */
  replace(objects: readonly KubeObject[], now: number): void {
    const recent = this.list().filter((object) => this.#unconfirmed.has(keyOf(object), now));
    this.#namespaces = new Map();
    this.#all = undefined;
    this.#size = 0;
    for (const object of recent) this.#set(object);
    for (const object of objects) this.put(object);
  }

  /** What a live read tells: it counts until the watch tells of the same object. */
  putAhead(object: KubeObject, now: number): void {
    this.#unconfirmed.add(keyOf(object), now);
    this.#set(object);
  }

  dropUnconfirmed(now: number): void {
    for (const key of this.#unconfirmed.takeExpired(now)) {
      const [namespace = '', name = ''] = key.split('/');
      this.#delete(namespace, name);
    }
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

  #delete(namespace: string, name: string): void {
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
