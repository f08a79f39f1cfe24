import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Pipeline, Stage } from './pipeline.ts';

/** What is wrong with what injectors read, by injector: each goes on with the last that was good. */
export function problemsOf(pipeline: Pipeline, cluster: ClusterView): readonly InjectorProblem[] {
  return pipeline.stages.flatMap((stage) =>
    ownProblems(stage, cluster).map((problem) => ({ injector: stage.name, problem })),
  );
}

/** Asked by timers and probes, where an exception would end the server. */
function ownProblems({ injector, config }: Stage, cluster: ClusterView): readonly string[] {
  try {
    return injector.problems?.(config, cluster) ?? [];
  } catch (cause) {
    return [cause instanceof Error ? cause.message : String(cause)];
  }
}

export interface InjectorProblem {
  readonly injector: string;
  readonly problem: string;
}
