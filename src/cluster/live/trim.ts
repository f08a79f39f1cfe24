import type { KubeObject } from '../../kube/kube-object.ts';
import { apiVersionOf, type ReadRef } from '../../kube/resource.ts';

export type Trim = (object: KubeObject) => KubeObject;

/** A smaller copy of an object as the API gives it. What several injectors read of one kind is kept for all of them. */
export function trimFor(refs: readonly [ReadRef, ...ReadRef[]]): Trim {
  const apiVersion = apiVersionOf(refs[0]);
  const { kind } = refs[0];
  const named = new Set(refs.flatMap(({ fields = [] }) => fields));
  const whole = refs.some(({ fields }) => fields === undefined);
  const keeps = (field: string) => named.has(field) || (whole && field !== 'status');
  return (object) => ({
    apiVersion,
    kind,
    metadata: trimMetadata(object.metadata),
    ...Object.fromEntries(Object.entries(object).filter(([field]) => !HEAD.has(field) && keeps(field))),
  });
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** The whole object once more, and as text. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function trimMetadata({ managedFields: _, ...metadata }: KubeObject['metadata']): KubeObject['metadata'] {
  const { annotations } = metadata;
  if (annotations === undefined || !Object.hasOwn(annotations, LAST_APPLIED)) return metadata;
  const { [LAST_APPLIED]: __, ...others } = annotations;
  return { ...metadata, annotations: others };
}
