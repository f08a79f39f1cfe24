import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Pipeline } from './pipeline.ts';

/** What is wrong with what injectors read, by injector: each goes on with the last that was good. */
export function problemsOf(pipeline: Pipeline, cluster: ClusterView): readonly InjectorProblem[] {
  return pipeline.stages.flatMap(({ name, injector, config }) =>
    (injector.problems?.(config, cluster) ?? []).map((problem) => ({ injector: name, problem })),
  );
}

export interface InjectorProblem {
  readonly injector: string;
  readonly problem: string;
}
