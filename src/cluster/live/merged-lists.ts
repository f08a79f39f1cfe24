import type { KubeObject } from '../../kube/kube-object.ts';

type Objects = readonly KubeObject[];

/** What several stores hold of a kind, in the order of namespaces and names, as each of them has it; one object once. */
export function mergedLists(lists: readonly Objects[]): Objects {
  const [first = [], ...others] = lists.filter(({ length }) => length > 0);
  if (others.length === 0) return first;
  const namespaces = new Map<string, Map<string, KubeObject>>();
  for (const object of [first, ...others].flat()) {
    const { namespace = '', name = '' } = object.metadata;
    const byName = namespaces.get(namespace) ?? new Map<string, KubeObject>();
    if (!byName.has(name)) namespaces.set(namespace, byName.set(name, object));
  }
  return sorted(namespaces).flatMap(sorted);
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}
