import { isJsonObject } from '../json/json.ts';
import { valueAt } from '../json/value-at.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { podFromTemplate, podTemplatePathOf } from '../kube/workload.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import type { RunAnswer, RunRequest, RunView } from '../page/view.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { YamlInvalid } from '../yaml/parse-document.ts';
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

/** The Pod that a workload's controller would create; undefined for other objects. */
function podOfWorkload(object: KubeObject, { workloads }: Pipeline): KubeObject | undefined {
  const path = podTemplatePathOf(object, workloads);
  const template = path === undefined ? undefined : valueAt(asJson(object), path);
  if (!isJsonObject(template) || !isJsonObject(template.spec)) return undefined;
  const pod = podFromTemplate(object, template) as unknown as KubeObject;
  // The API server rejects a reference without a uid, which the owner gets when it is stored.
  const ownerReferences = pod.metadata.ownerReferences?.map((owner) => ({ ...owner, uid: NO_UID }));
  const { namespace } = object.metadata;
  return {
    ...pod,
    metadata: { ...pod.metadata, ...(namespace !== undefined && { namespace }), ownerReferences },
  } as KubeObject;
}

const NO_UID = '00000000-0000-0000-0000-000000000000';
