import type { StringMap } from '../../kube/kube-object.ts';
import { annotationsOf, builtin, type Context, type DeepReadonly, type Pod } from '../../sdk/index.ts';
import { effectiveValue } from './annotations.ts';
import type { Options } from './options.ts';
import type { Owner } from './owners.ts';

const NAMESPACE = builtin('Namespace');

/** One Pod on its way in, and all there is to know about it. */
export interface Subject {
  readonly pod: DeepReadonly<Pod>;
  readonly namespace: string;
  readonly cluster: Context['cluster'];
  readonly options: Options;
  readonly podAnnotations: StringMap;
  readonly namespaceAnnotations: StringMap;
  /** Why something that was asked for is not injected. Denies under `strict`. */
  readonly problems: string[];
  /** What the user should know although all was injected. */
  readonly hints: string[];
  /** Once they have been looked up. */
  owners?: readonly Owner[];
}

export function subjectOf(
  pod: DeepReadonly<Pod>,
  { request, cluster, config: options }: Context<Options>,
): Subject {
  const { namespace } = request;
  const found = cluster.get(NAMESPACE, undefined, namespace);
  return {
    pod,
    namespace,
    cluster,
    options,
    podAnnotations: pod.metadata === undefined ? {} : annotationsOf({ metadata: pod.metadata }),
    namespaceAnnotations: found === undefined ? {} : annotationsOf(found),
    problems: [],
    hints: [],
  };
}

/** An annotation that a Pod may have from its Namespace. */
export function annotation(subject: Subject, key: string): string {
  return effectiveValue(key, subject.podAnnotations, subject.namespaceAnnotations);
}
