import type { KubeObject } from '../../kube/kube-object.ts';

/** Objects of one kind by namespace and name; the namespace of a cluster-scoped object is empty. */
export class ObjectStore {
  readonly #namespaces = new Map<string, Map<string, KubeObject>>();
  /** Sorted lists by namespace, and under `undefined` the list of all objects. Built when first read: few namespaces ever are. */
  readonly #lists = new Map<string | undefined, readonly KubeObject[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** Sorted by namespace, then name. */
  list(namespace?: string): readonly KubeObject[] {
    const known = this.#lists.get(namespace);
    if (known !== undefined) return known;
    if (namespace !== undefined && !this.#namespaces.has(namespace)) return [];
    const namespaces = namespace === undefined ? [...this.#namespaces.keys()].sort() : [namespace];
    const list = namespaces.flatMap((each) => sortedByName(this.#namespaces.get(each) ?? new Map()));
    this.#lists.set(namespace, list);
    return list;
  }

  /** Replaces the object that has the same namespace and name. */
  put(object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const names = this.#namespaces.get(namespace) ?? new Map<string, KubeObject>();
    if (!names.has(name)) this.#size++;
    this.#namespaces.set(namespace, names.set(name, object));
    this.#outdate(namespace);
  }

  remove({ metadata: { namespace = '', name = '' } }: KubeObject): void {
    const names = this.#namespaces.get(namespace);
    if (!names?.delete(name)) return;
    this.#size--;
    if (names.size === 0) this.#namespaces.delete(namespace);
    this.#outdate(namespace);
  }

  clear(): void {
    this.#namespaces.clear();
    this.#lists.clear();
    this.#size = 0;
  }

  #outdate(namespace: string): void {
    this.#lists.delete(namespace);
    this.#lists.delete(undefined);
  }
}

function sortedByName(objects: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  return [...objects.keys()].sort().flatMap((name) => objects.get(name) ?? []);
}
