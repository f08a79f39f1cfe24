import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Pipeline, Stage } from './pipeline.ts';

export interface InjectorProblem {
  readonly injector: string;
  readonly problem: string;
}

/** What is wrong with the objects that injectors read; each keeps using the last good ones. */
export function problemsOf(pipeline: Pipeline, cluster: ClusterView): readonly InjectorProblem[] {
  return pipeline.stages.flatMap((stage) =>
    stageProblems(stage, cluster).map((problem) => ({ injector: stage.name, problem })),
  );
}

/** Called by timers and probes, where an exception would end the server. */
function stageProblems({ injector, config }: Stage, cluster: ClusterView): readonly string[] {
  try {
    return injector.problems?.(config, cluster) ?? [];
  } catch (cause) {
    return [cause instanceof Error ? cause.message : String(cause)];
  }
}
