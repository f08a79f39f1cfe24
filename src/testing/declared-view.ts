import { cacheByObject } from '../cache.ts';
import { trimFor } from '../cluster/views/trim.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { ReadRef } from '../sdk/reads.ts';
import { includesScope, kindKey, type Scope, scopeOf } from '../sdk/reads.ts';

/** A view like that of a live cluster: it has only what was declared, and Namespaces. */
export function declaredView(whole: ClusterView, declared: readonly ReadRef[]): ClusterView {
  const reads = [{ ...builtin('Namespace'), fields: [] }, ...declared];
  const kinds = new Map<string, Shown>();
  const shownOf = (ref: ResourceRef): Shown => {
    const key = kindKey(ref);
    const shown = kinds.get(key) ?? showing(ref, reads);
    kinds.set(key, shown);
    return shown;
  };
  return {
    get(ref, namespace, name) {
      const place = { name, ...(namespace !== undefined && { namespace }) };
      const object = isDeclared(reads, ref, place) ? whole.get(ref, namespace, name) : undefined;
      return object && shownOf(ref).one(object);
    },
    list: (ref, namespace, selector) => shownOf(ref).all(whole.list(ref, namespace, selector)),
  };
}

/** What the view shows of the objects of one kind: identical ones for identical ones. */
interface Shown {
  one(object: KubeObject): KubeObject;
  all(objects: readonly KubeObject[]): readonly KubeObject[];
}

function showing(ref: ResourceRef, reads: readonly ReadRef[]): Shown {
  const one = cacheByObject(
    trimFor(
      ref,
      reads.filter((read) => kindKey(read) === kindKey(ref)),
    ),
  );
  const all = cacheByObject((objects: readonly KubeObject[]) =>
    objects.filter(({ metadata }) => isDeclared(reads, ref, metadata)).map(one),
  );
  return { one, all };
}

export function isDeclared(reads: readonly ReadRef[], ref: ResourceRef, place: Scope): boolean {
  return reads.some((read) => kindKey(read) === kindKey(ref) && includesScope(scopeOf(read), place));
}
