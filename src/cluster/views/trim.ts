import type { KubeObject } from '../../kube/kube-object.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import type { ReadRef } from '../../sdk/reads.ts';
import { includesScope, scopeOf } from '../../sdk/reads.ts';

export type Trim = (object: KubeObject) => KubeObject;

/** Makes a smaller copy of an object from the API, with the fields of all these reads. */
export function trimFor(ref: ResourceRef, reads: readonly ReadRef[]): Trim {
  const apiVersion = apiVersionOf(ref);
  const { kind } = ref;
  const scoped = reads.map((read) => ({ scope: scopeOf(read), fields: read.fields }));
  return (object) => {
    const wanted = scoped.filter(({ scope }) => includesScope(scope, object.metadata));
    const isWhole = wanted.some(({ fields }) => fields === undefined);
    const paths = wanted.flatMap(({ fields = [] }) => fields);
    const kept: [string, unknown][] = [];
    for (const [field, value] of Object.entries(object)) {
      if (HEAD.has(field)) continue;
      const part = isWhole && field !== 'status' ? value : partOf(value, field, paths);
      if (part !== undefined) kept.push([field, part]);
    }
    return { apiVersion, kind, metadata: trimMetadata(object.metadata), ...Object.fromEntries(kept) };
  };
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The whole field if a path names it, else those of its members that paths name; undefined if none does. */
function partOf(value: unknown, field: string, paths: readonly string[]): unknown {
  if (paths.includes(field)) return value;
  const inner = paths.flatMap((path) => (path.startsWith(`${field}.`) ? path.slice(field.length + 1) : []));
  if (inner.length === 0 || typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => inner.includes(name)));
}

/** A second copy of the whole object, as text. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function trimMetadata({ managedFields: _, ...metadata }: KubeObject['metadata']): KubeObject['metadata'] {
  const { annotations } = metadata;
  if (annotations === undefined || !Object.hasOwn(annotations, LAST_APPLIED)) return metadata;
  const { [LAST_APPLIED]: __, ...others } = annotations;
  return { ...metadata, annotations: others };
}
