import type { KubeObject } from '../kube/kube-object.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { ObjectRef } from '../sdk/reads.ts';
import type { Request } from '../sdk/request.ts';
import { InjectorFailed } from './pipeline-errors.ts';
import type { OnStage } from './run-pipeline.ts';
import { NAMESPACE, objectMismatch, type SelectedStages, typedObject } from './select-stages.ts';

/** The objects that the selected injectors need and that the view does not have yet. */
export function missingNeeds(
  { isExcluded, isOversized, candidates }: SelectedStages,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
  onStage?: OnStage,
): readonly ObjectRef[] {
  // A namespace's labels may decide whether an object that is too large is denied.
  if (isExcluded && !isOversized) return [];
  const needs: ObjectRef[] = request.namespace === '' ? [] : [{ ref: NAMESPACE, name: request.namespace }];
  for (const candidate of candidates) {
    const { stage, mismatch } = candidate;
    const { name, injector, config, onError } = stage;
    if (mismatch !== undefined || injector.needs === undefined) continue;
    onStage?.(name, request);
    try {
      if (objectMismatch(candidate, object, request) !== undefined) continue;
      needs.push(...injector.needs(typedObject(object), { request, config }));
    } catch (cause) {
      // An injector with `onError: skip` runs without these objects.
      if (onError === 'fail') throw new InjectorFailed(name, cause);
    }
  }
  return needs.filter((need) => cluster.get(need.ref, need.namespace, need.name) === undefined);
}
