import { type Trim, trimFor } from '../cluster/views/trim.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { ReadRef } from '../sdk/reads.ts';
import { includesScope, kindKey, type Scope, scopeOf } from '../sdk/reads.ts';

/** A view like that of a live cluster: it has only what was declared, and Namespaces. */
export function declaredView(whole: ClusterView, declared: readonly ReadRef[]): ClusterView {
  const reads = [{ ...builtin('Namespace'), fields: [] }, ...declared];
  const trims = new Map<string, Trim>();
  const trimmed = new WeakMap<KubeObject, KubeObject>();
  const shown = (ref: ResourceRef, object: KubeObject): KubeObject => {
    // The identity of an object changes only with its content.
    const known = trimmed.get(object);
    if (known !== undefined) return known;
    const key = kindKey(ref);
    const ofKind = reads.filter((read) => kindKey(read) === key);
    const trim = trims.get(key) ?? trimFor(ref, ofKind);
    trims.set(key, trim);
    const next = trim(object);
    trimmed.set(object, next);
    return next;
  };
  return {
    get(ref, namespace, name) {
      const place = { name, ...(namespace !== undefined && { namespace }) };
      const object = isDeclared(reads, ref, place) ? whole.get(ref, namespace, name) : undefined;
      return object && shown(ref, object);
    },
    list: (ref, namespace, selector) =>
      whole
        .list(ref, namespace, selector)
        .filter(({ metadata }) => isDeclared(reads, ref, metadata))
        .map((object) => shown(ref, object)),
  };
}

export function isDeclared(reads: readonly ReadRef[], ref: ResourceRef, place: Scope): boolean {
  return reads.some((read) => kindKey(read) === kindKey(ref) && includesScope(scopeOf(read), place));
}
