import { createClient, type KubeClient } from '../cluster/client/client.ts';
import { findConnection } from '../cluster/client/find-connection.ts';
import { snapshotView, takeSnapshot } from '../cluster/snapshot.ts';
import { filesView } from '../cluster/views/files-view.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { type PlacedObject, readPlacedManifests } from '../files/read-manifests.ts';
import { readFiles } from '../files/text-files.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { fileSources, type Pipeline } from '../pipeline/pipeline.ts';
import { type InjectorProblem, problemsOf } from '../pipeline/problems.ts';
import type { ResultProblem } from '../pipeline/result-problems.ts';
import { type ManifestOutcome, runManifest } from '../pipeline/run-manifest.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { functionConfigIn } from './function-list.ts';
import { loadLiveConfig } from './live-config.ts';
import { readLiveObjects } from './live-objects.ts';
import { type Message, writeMessage } from './message.ts';
import type { ConnectOptions } from './open-views.ts';
import { type InputFile, type InputObject, readInput } from './read-input.ts';

export interface InputOptions extends ConnectOptions {
  readonly filename?: readonly string[];
  /** Objects of the cluster, such as `pod/web`. */
  readonly resources?: readonly string[];
  /** By default the configuration in force of the cluster, if one is named; else podgraft.yaml. */
  readonly config?: string;
  /** The webhook configuration of the configuration in force. */
  readonly webhook?: string;
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

/** The outcomes as entries; failed objects are left out. */
export type Outcomes = readonly (readonly [InputObject, ManifestOutcome])[];

/** Runs the configured injectors on every object of the input. Errors are written to stderr and set the exit code. */
export async function runInput(options: InputOptions): Promise<InputRun> {
  const messages: Message[] = [];
  const report = (message: Message) => {
    messages.push(message);
    writeMessage(message);
  };
  const { filename = [], resources = [], namespace } = options;
  const client = connectIfNamed(options);
  try {
    const files = readInput(filename, ({ message: text }) => report({ severity: 'error', text }));
    const live = client === undefined ? [] : await readLiveObjects(client, resources, namespace);
    const inFiles = files.flatMap(({ documents }) => documents.flatMap((document) => document.objects));
    const placed = [
      ...readPlacedManifests(options.cluster),
      ...inFiles.map(({ object, place }) => ({ object: withNamespace(object, namespace), place })),
    ];
    const given = placed.map(({ object }) => object);
    const { pipeline, warnings } = await configFor(files, options, client, given);
    for (const text of warnings) report({ severity: 'warning', text });
    const reads = pipeline.stages.flatMap((stage) => stage.reads);
    const cluster =
      client === undefined ? filesView(given) : snapshotView(await takeSnapshot(client, reads), given);
    const watched = readFiles(fileSources(pipeline));
    for (const message of problemMessages(problemsOf(pipeline, cluster, watched), placed)) report(message);
    const outcomes = new Map<InputObject, ManifestOutcome>();
    for (const input of [...inFiles, ...live]) {
      // An object of the cluster has its defaults already, and is valid.
      const { operation, user: username } = options;
      const request = { operation, namespace, username, defaults: !live.includes(input) };
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
  } finally {
    client?.close();
  }
}

/** Offline unless the command line names a cluster or an object of one: a file must not depend on KUBECONFIG. */
function connectIfNamed({ kubeconfig, context, resources = [] }: InputOptions): KubeClient | undefined {
  if (kubeconfig === undefined && context === undefined && resources.length === 0) return undefined;
  const options = { ...(kubeconfig && { path: kubeconfig }), ...(context && { context }) };
  return createClient(findConnection(options));
}

/** A file that was named, else what came with the input of a KRM function, else that of the cluster, else podgraft.yaml. */
async function configFor(
  files: readonly InputFile[],
  { config, webhook = 'podgraft' }: InputOptions,
  client: KubeClient | undefined,
  given: readonly KubeObject[],
): Promise<Config> {
  const ofFunction = await functionConfigIn(files);
  if (ofFunction !== undefined) return ofFunction;
  return client !== undefined && config === undefined
    ? (await loadLiveConfig(client, webhook)).config
    : loadConfig(config ?? 'podgraft.yaml', given);
}

function problemMessages(
  problems: readonly InjectorProblem[],
  placed: readonly PlacedObject[],
): readonly Message[] {
  const places = new Map<object, string>(placed.map(({ object, place }) => [object, place]));
  return problems.map(({ injector, problem, severity, object }) => {
    const place = object && places.get(object);
    const text = `injector "${injector}": ${problem}`;
    return { severity, text: place === undefined ? text : `${place}: ${text}` };
  });
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
