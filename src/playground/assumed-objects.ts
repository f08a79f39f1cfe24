import { isJsonObject, type JsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';

/** The namespace and the ServiceAccount of an object, unless they are known: the playground works without cluster objects. */
export function assumedObjects(object: KubeObject, known: readonly JsonObject[]): JsonObject[] {
  const { namespace = 'default' } = object.metadata;
  const spec = asJson(object).spec;
  const account = isJsonObject(spec) && object.kind === 'Pod' ? spec.serviceAccountName : undefined;
  const assumed: JsonObject[] = [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { 'kubernetes.io/metadata.name': namespace } },
      status: { phase: 'Active' },
    },
    ...(typeof account === 'string'
      ? [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace } }]
      : []),
  ];
  return assumed.filter((each) => !known.some((other) => isSame(each, other)));
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  const [mine, its] = [one.metadata, other.metadata];
  if (one.kind !== other.kind || !isJsonObject(mine) || !isJsonObject(its)) return false;
  return mine.name === its.name && mine.namespace === its.namespace;
}
