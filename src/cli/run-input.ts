import { filesView } from '../cluster/views/files-view.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { readManifests } from '../files/read-manifests.ts';
import { readFiles } from '../files/text-files.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { fileSources, type Pipeline } from '../pipeline/pipeline.ts';
import type { ResultProblem } from '../pipeline/result-problems.ts';
import { type ManifestOutcome, runManifest } from '../pipeline/run-manifest.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { functionConfigIn } from './function-list.ts';
import { type Message, writeMessage } from './message.ts';
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
  /** Already written to stderr. */
  readonly messages: readonly Message[];
}

/** The outcomes as entries, some of which may be left out. */
export type Outcomes = readonly (readonly [InputObject, ManifestOutcome])[];

/** Runs the configured injectors on every object of the input. Errors are written to stderr and set the exit code. */
export async function runInput(options: InputOptions): Promise<InputRun> {
  const messages: Message[] = [];
  const report = (message: Message) => {
    messages.push(message);
    writeMessage(message);
  };
  const files = readInput(options.filename, ({ message: text }) => report({ severity: 'error', text }));
  const { pipeline, warnings } = await configFor(files, options);
  for (const text of warnings) report({ severity: 'warning', text });
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
      for (const message of messagesOf(input, outcome)) report(message);
      const isValid = outcome.parts.every(({ problems }) => problems.length === 0);
      outcomes.set(
        input,
        isValid ? outcome : { ...outcome, allowed: false, object: input.object, patch: [] },
      );
    } catch (error) {
      if (!(error instanceof PodgraftError)) throw error;
      report({ severity: 'error', text: error.message, input });
    }
  }
  return { pipeline, files, outcomes, messages };
}

/** The configuration that came with the input of a KRM function, else the file. */
async function configFor(files: readonly InputFile[], { config }: InputOptions): Promise<Config> {
  return (await functionConfigIn(files)) ?? loadConfig(config);
}

function messagesOf(input: InputObject, { parts }: ManifestOutcome): Message[] {
  const error = (text: string): Message => ({ severity: 'error', text, input });
  const warning = (text: string): Message => ({ severity: 'warning', text, input });
  return parts.flatMap(({ path, outcome, problems }) => [
    ...problems.map((problem) => error(path + problemText(problem))),
    ...(outcome.allowed
      ? outcome.warnings.map(warning)
      : [error(`denied by injector "${outcome.injector}": ${outcome.reason}`)]),
  ]);
}

export function problemText({ path, message, injector }: ResultProblem): string {
  return `${path}: ${message}${injector === undefined ? '' : ` (injector "${injector}")`}`;
}

/** The cluster view finds objects by namespace, which a manifest may omit. */
function withNamespace(object: KubeObject, namespace: string): KubeObject {
  const ref = resourceOf(groupOf(object.apiVersion), object.kind);
  if (object.metadata.namespace !== undefined || ref?.namespaced === false) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
