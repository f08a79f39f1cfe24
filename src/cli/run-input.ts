import { filesView } from '../cluster/views/files-view.ts';
import { loadConfig } from '../config/load-config.ts';
import { readManifests } from '../files/read-manifests.ts';
import { readFiles } from '../files/text-files.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { fileSources, type Pipeline } from '../pipeline/pipeline.ts';
import type { ResultProblem } from '../pipeline/result-problems.ts';
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
  readonly pipeline: Pipeline;
  readonly files: readonly InputFile[];
  /** The outcome for each object, in the order of the input, without objects for which an injector failed. */
  readonly outcomes: ReadonlyMap<InputObject, ManifestOutcome>;
}

/** The outcomes as entries, some of which may be left out. */
export type Outcomes = readonly (readonly [InputObject, ManifestOutcome])[];

/** Runs the configured injectors on every object of the input. Errors are written to stderr and set the exit code. */
export async function runInput(options: InputOptions): Promise<InputRun> {
  const { pipeline, warnings } = await loadConfig(options.config);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const files = readInput(options.filename, (error) => reportError(error.message));
  const objects = files.flatMap(({ documents }) => documents.flatMap((document) => document.objects));
  const inNamespace = objects.map(({ object }) => withNamespace(object, options.namespace));
  const cluster = filesView([...readManifests(options.cluster), ...inNamespace]);
  const watched = readFiles(fileSources(pipeline));
  const { operation, namespace, user: username } = options;
  const request = { operation, namespace, username, defaults: true };
  const outcomes = new Map<InputObject, ManifestOutcome>();
  for (const input of objects) {
    try {
      const outcome = runManifest(pipeline, input.object, request, cluster, watched);
      reportOutcome(input, outcome);
      const isValid = outcome.parts.every(({ problems }) => problems.length === 0);
      outcomes.set(
        input,
        isValid ? outcome : { ...outcome, allowed: false, object: input.object, patch: [] },
      );
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      reportError(`${input.place}: ${nameOf(input.object)}: ${error.message}`);
    }
  }
  return { pipeline, files, outcomes };
}

function reportOutcome({ object, place }: InputObject, { parts }: ManifestOutcome): void {
  for (const { path, outcome, problems } of parts) {
    for (const problem of problems) {
      reportError(`${place}: ${nameOf(object)}: ${path}${problemText(problem)}`);
    }
    if (!outcome.allowed)
      reportError(`${place}: ${nameOf(object)}: denied by injector "${outcome.injector}": ${outcome.reason}`);
    else
      for (const warning of outcome.warnings)
        process.stderr.write(`warning: ${place}: ${nameOf(object)}: ${warning}\n`);
  }
}

export function problemText({ path, message, injector }: ResultProblem): string {
  return `${path}: ${message}${injector === undefined ? '' : ` (injector "${injector}")`}`;
}

function reportError(message: string): void {
  for (const line of message.split('\n')) process.stderr.write(`error: ${line}\n`);
  process.exitCode = 1;
}

export function nameOf(object: KubeObject): string {
  const { name, generateName } = object.metadata;
  return `${object.kind} "${name ?? `${generateName ?? ''}*`}"`;
}

/** The cluster view finds objects by namespace, which a manifest may omit. */
function withNamespace(object: KubeObject, namespace: string): KubeObject {
  const ref = resourceOf(groupOf(object.apiVersion), object.kind);
  if (object.metadata.namespace !== undefined || ref?.namespaced === false) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
