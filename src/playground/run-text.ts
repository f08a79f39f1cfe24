import { asJson } from '../kube/kube-object.ts';
import { toYaml } from '../page/to-yaml.ts';
import type { RunAnswer, RunRequest, RunView } from '../page/view.ts';
import { YamlInvalid } from '../yaml/parse-document.ts';
import { podOfWorkload } from './pod-of-workload.ts';
import { type Input, readInputs } from './read-inputs.ts';
import { type RunOptions, runObject, withNamespace } from './run-object.ts';

/** Takes every object of a text through admission, and the Pods that workloads would create. */
export async function runText(request: RunRequest, options: RunOptions): Promise<RunAnswer> {
  let inputs: readonly Input[];
  try {
    inputs = readInputs(request.yaml);
  } catch (error) {
    if (!(error instanceof YamlInvalid)) throw error;
    const { line, column, why } = error;
    return { errors: [{ line, column, message: why }] };
  }
  const neighbours = inputs.map(({ object }) => withNamespace(object));
  const runs: RunView[] = [];
  for (const input of inputs) {
    const view = await runObject(input, neighbours, request, options);
    runs.push(view);
    const { pipeline } = options.snapshot.config;
    const pod = view.denial === undefined ? podOfWorkload(input.object, pipeline) : undefined;
    if (pod !== undefined && request.operation !== 'DELETE') {
      const created = { ...request, operation: 'CREATE' } as const;
      runs.push(await runObject({ object: pod, text: toYaml(asJson(pod)) }, neighbours, created, options));
    }
  }
  return { runs };
}
