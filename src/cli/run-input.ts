import { filesView } from '../cluster/files-view.ts';
import { readManifests } from '../cluster/read-manifests.ts';
import { readFiles } from '../cluster/text-files.ts';
import { loadConfig } from '../config/load-config.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { fileSources } from '../pipeline/files.ts';
import { type ManifestOutcome, runManifest } from '../pipeline/run-manifest.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { type InputFile, type InputObject, readInput } from './read-input.ts';

export interface InputOptions {
  readonly filename: readonly string[];
  readonly config: string;
  readonly cluster: readonly string[];
  readonly namespace: string;
  readonly operation: 'CREATE' | 'UPDATE';
  readonly user: string;
}

export interface InputRun {
  readonly files: readonly InputFile[];
  /** What became of each object, in the order of the input; without those that an injector could not cope with. */
  readonly outcomes: ReadonlyMap<InputObject, ManifestOutcome>;
}

/** Runs the configured injectors on every object of the input. What goes wrong is told on stderr and in the exit code. */
export async function runInput(options: InputOptions): Promise<InputRun> {
  const { pipeline } = await loadConfig(options.config);
  const files = readInput(options.filename, (error) => complain(error.message));
  const objects = files.flatMap(({ documents }) => documents.flatMap((document) => document.objects));
  const inNamespace = objects.map(({ object }) => withNamespace(object, options.namespace));
  const cluster = filesView([...readManifests(options.cluster), ...inNamespace]);
  const watched = readFiles(fileSources(pipeline));
  const request = { operation: options.operation, namespace: options.namespace, username: options.user };
  const outcomes = new Map<InputObject, ManifestOutcome>();
  for (const input of objects) {
    try {
      const outcome = runManifest(pipeline, input.object, request, cluster, watched);
      outcomes.set(input, outcome);
      tell(input, outcome);
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      complain(`${input.place}: ${nameOf(input.object)}: ${error.message}`);
    }
  }
  return { files, outcomes };
}

function tell({ object, place }: InputObject, { parts }: ManifestOutcome): void {
  for (const { outcome } of parts) {
    if (!outcome.allowed)
      complain(`${place}: ${nameOf(object)}: denied by injector "${outcome.injector}": ${outcome.reason}`);
    else
      for (const warning of outcome.warnings)
        process.stderr.write(`warning: ${place}: ${nameOf(object)}: ${warning}\n`);
  }
}

function complain(message: string): void {
  for (const line of message.split('\n')) process.stderr.write(`error: ${line}\n`);
  process.exitCode = 1;
}

export function nameOf(object: KubeObject): string {
  const { name, generateName } = object.metadata;
  return `${object.kind} "${name ?? `${generateName ?? ''}*`}"`;
}

/** As objects of the cluster they are looked up by their namespace, which a file need not name. */
function withNamespace(object: KubeObject, namespace: string): KubeObject {
  const ref = resourceOf(groupOf(object.apiVersion), object.kind);
  if (object.metadata.namespace !== undefined || ref?.namespaced === false) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
