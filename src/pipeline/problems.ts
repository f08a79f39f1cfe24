import type { ClusterView } from '../sdk/cluster-view.ts';
import { type FileView, NO_FILES } from '../sdk/file-view.ts';
import type { ReadProblem } from '../sdk/injector.ts';
import type { Pipeline, Stage } from './pipeline.ts';

export interface InjectorProblem extends Omit<ReadProblem, 'message'> {
  readonly injector: string;
  readonly problem: string;
}

/** What is wrong with the objects and files that injectors read; each keeps using the last good ones. */
export function problemsOf(
  pipeline: Pipeline,
  cluster: ClusterView,
  files: FileView = NO_FILES,
): readonly InjectorProblem[] {
  return pipeline.stages.flatMap((stage) =>
    stageProblems(stage, cluster, files).map((found) => {
      const { message, ...rest } = typeof found === 'string' ? warning(found) : found;
      return { injector: stage.name, problem: message, ...rest };
    }),
  );
}

/** Called by timers and probes, where an exception would end the server. */
function stageProblems(
  { injector, config }: Stage,
  cluster: ClusterView,
  files: FileView,
): readonly (string | ReadProblem)[] {
  try {
    return injector.problems?.(config, cluster, files) ?? [];
  } catch (cause) {
    return [cause instanceof Error ? cause.message : String(cause)];
  }
}

function warning(message: string): ReadProblem {
  return { message, severity: 'warning' };
}
