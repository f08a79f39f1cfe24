import { createHash, randomUUID } from 'node:crypto';
import { admit } from '../chain/admit.ts';
import { callOverHttps } from '../chain/call-over-https.ts';
import { filesView } from '../cluster/views/files-view.ts';
import { objectsIn } from '../files/objects-in.ts';
import type { JsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import type { FindingsOf } from '../page/chain-stops.ts';
import { chainView } from '../page/chain-view.ts';
import { toYaml } from '../page/to-yaml.ts';
import type { RunAnswer, RunRequest, RunView } from '../page/view.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { Call, Reply } from '../sdk/calls.ts';
import { parseDocuments, YamlInvalid } from '../yaml/parse-document.ts';
import type { YamlDocument } from '../yaml/yaml-tree.ts';
import { assumedObjects } from './assumed-objects.ts';
import { createOwnWebhook } from './own-webhook.ts';
import { podOfWorkload } from './pod-of-workload.ts';
import { selectPipeline } from './select-pipeline.ts';
import { callByOwner, type Snapshot } from './workspace.ts';

export interface RunOptions {
  readonly snapshot: Snapshot;
  /** Makes the calls that injectors wait for. */
  readonly call: (calls: readonly Call[]) => Promise<readonly Reply[]>;
  readonly findingsOf?: FindingsOf;
}

/** Takes every object of a text through admission, and the Pods that workloads would create. */
export async function runText(request: RunRequest, options: RunOptions): Promise<RunAnswer> {
  let inputs: readonly Input[];
  try {
    inputs = inputsIn(request.yaml);
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

interface Input {
  readonly object: KubeObject;
  readonly text: string;
}

function inputsIn(yaml: string): Input[] {
  return parseDocuments(yaml).flatMap((document) => {
    const refuse = (detail: string) => new YamlInvalid({ line: contentLine(document), column: 1 }, detail);
    return objectsIn(document.value, refuse).map(({ object, at }) => ({
      object,
      text: at === '' ? withoutMarkers(document.text) : toYaml(asJson(object)),
    }));
  });
}

/** The line on which the content begins, after `---` and comments. */
function contentLine({ text, line, root }: YamlDocument): number {
  return line + text.slice(0, root.start).split('\n').length - 1;
}

/** `---` and `...` separate documents, and are not part of one. */
function withoutMarkers(text: string): string {
  return text.replace(/^---[ \t]*\r?\n/, '').replace(/(^|\n)\.\.\.[ \t]*\r?\n$/, '$1');
}

async function runObject(
  { object, text }: Input,
  neighbours: readonly KubeObject[],
  { operation = 'CREATE', off = [], order }: RunRequest,
  { snapshot, call, findingsOf }: RunOptions,
): Promise<RunView> {
  const { config, objects, others, own } = snapshot;
  const pipeline = selectPipeline(config.pipeline, off, order);
  const sent = asJson(object);
  const around = [...objects, ...neighbours.map(asJson)];
  const known = [...around, ...assumedObjects(object, around)];
  const webhook = createOwnWebhook({
    pipeline,
    cluster: filesView(known as unknown as readonly KubeObject[]),
    files: snapshot.files,
    finalCheck: config.validate,
    call,
  });
  const started = performance.now();
  const time = new Date().toISOString();
  const outcome = await admit(
    {
      operation,
      ...(operation !== 'DELETE' && { object: sent }),
      ...(operation !== 'CREATE' && { oldObject: sent }),
      ...resourceIfUnknown(object),
      user: { username: USER, groups: ['system:masters', 'system:authenticated'] },
    },
    {
      configurations: configurationsFor(config.pipeline, [...own, ...others, ...neighbours.map(asJson)]),
      objects: known,
      call: callByOwner(webhook.call, callOverHttps),
      newUid: uidSequence(),
    },
  );
  const { kind, metadata } = object;
  return chainView({
    request: {
      uid: randomUUID(),
      time,
      operation,
      kind,
      namespace: withNamespace(object).metadata.namespace ?? '',
      name: metadata.name ?? `${metadata.generateName ?? ''}*`,
      user: USER,
      dryRun: false,
      milliseconds: performance.now() - started,
    },
    sent,
    text,
    outcome,
    own: webhook.runs,
    stages: config.pipeline.stages,
    off,
    ...(findingsOf && { findingsOf }),
  });
}

/** The same for every run, so that two runs differ only where their input does. */
function uidSequence(): () => string {
  let count = 0;
  return () => {
    const digits = createHash('sha256').update(String(count++)).digest('hex');
    return [8, 4, 4, 4, 12].map((length, index) => digits.slice(index * 12, index * 12 + length)).join('-');
  };
}

const USER = 'kubernetes-admin';

/** The injector `admission-policy` is for clusters whose API server has no policies of its own. */
function configurationsFor({ stages }: Pipeline, objects: readonly JsonObject[]): JsonObject[] {
  const hasInjector = stages.some(({ injector }) => injector.name === 'admission-policy');
  return objects.filter(
    ({ apiVersion, kind }) =>
      String(apiVersion).startsWith('admissionregistration.k8s.io/') &&
      !(hasInjector && String(kind).includes('AdmissionPolicy')),
  );
}

/** A custom resource without a definition: its resource is guessed, as kubectl's users would. */
function resourceIfUnknown({ apiVersion, kind, metadata }: KubeObject) {
  const group = groupOf(apiVersion);
  if (resourceOf(group, kind) !== undefined) return {};
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const resource = { group, version, resource: `${kind.toLowerCase()}s` };
  return { resource, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) };
}

function withNamespace(object: KubeObject): KubeObject {
  const ref = resourceOf(groupOf(object.apiVersion), object.kind);
  if (object.metadata.namespace !== undefined || ref?.namespaced !== true) return object;
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
}
