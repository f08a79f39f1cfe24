import type { KubeObject } from '../kube/kube-object.ts';
import type { ObjectRef } from '../kube/resource.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Request } from '../sdk/request.ts';
import { exclusion } from './exclusion.ts';
import { injectorFailed } from './injector-failed.ts';
import { mismatch } from './mismatch.ts';
import { NAMESPACE } from './namespace-labels.ts';
import type { Pipeline } from './pipeline.ts';

/** The objects on which the answer depends, and which the view does not hold yet: what the edge has to read first. */
export function missingNeeds(
  pipeline: Pipeline,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
): readonly ObjectRef[] {
  if (exclusion(pipeline, request, object) !== undefined) return [];
  const missing: ObjectRef[] = [];
  const ask = (need: ObjectRef) => {
    if (cluster.get(need.ref, need.namespace, need.name) === undefined) missing.push(need);
  };
  if (request.namespace !== '') ask({ ref: NAMESPACE, name: request.namespace });
  for (const { name, injector, match, config } of pipeline.stages) {
    if (injector.needs === undefined) continue;
    if (mismatch(match, request, object, cluster) !== undefined) continue;
    try {
      injector.needs(request, config).forEach(ask);
    } catch (cause) {
      throw injectorFailed(name, cause);
    }
  }
  return missing;
}
