import { createHash, randomUUID } from 'node:crypto';
import { admit } from '../chain/admit.ts';
import { callOverHttps } from '../chain/call-over-https.ts';
import { filesView } from '../cluster/views/files-view.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import type { FindingsOf } from '../page/chain-stops.ts';
import { chainView } from '../page/chain-view.ts';
import type { RunRequest, RunView } from '../page/view.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { Call, Reply } from '../sdk/calls.ts';
import { assumedObjects } from './assumed-objects.ts';
import { configurationsFor, withValidation } from './configurations.ts';
import { createOwnWebhook } from './own-webhook.ts';
import type { Input } from './read-inputs.ts';
import { callByOwner, type Snapshot } from './workspace.ts';

export interface RunOptions {
  readonly snapshot: Snapshot;
  /** Makes the calls that injectors wait for. */
  readonly call: (calls: readonly Call[]) => Promise<readonly Reply[]>;
  readonly findingsOf?: FindingsOf;
}

/** Takes one object through admission. `neighbours` are those of the same text. */
export async function runObject(
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
    outcome: withValidation(outcome, sent),
    own: webhook.runs,
    stages: config.pipeline.stages,
    off,
    ...(findingsOf && { findingsOf }),
  });
}

/** The same uids for every run, so that two runs differ only where their input does. */
function uidSequence(): () => string {
  let count = 0;
  return () => {
    const digits = createHash('sha256').update(String(count++)).digest('hex');
    return [8, 4, 4, 4, 12].map((length, index) => digits.slice(index * 12, index * 12 + length)).join('-');
  };
}

const USER = 'kubernetes-admin';

/** A custom resource without a definition: its resource is guessed, as kubectl's users would. */
function resourceIfUnknown({ apiVersion, kind, metadata }: KubeObject) {
  const group = groupOf(apiVersion);
  if (resourceOf(group, kind) !== undefined) return {};
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const resource = { group, version, resource: `${kind.toLowerCase()}s` };
  return { resource, ...(metadata.namespace !== undefined && { namespace: metadata.namespace }) };
}

/** As the API server would store it, in the namespace that kubectl would choose. */
export function withNamespace(object: KubeObject): KubeObject {
  const ref = resourceOf(groupOf(object.apiVersion), object.kind);
  if (object.metadata.namespace !== undefined || ref?.namespaced !== true) return object;
  return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
}

/** The pipeline without some injectors, or in another order. Injectors that `order` leaves out follow as they are. */
function selectPipeline(pipeline: Pipeline, off: readonly string[], order: readonly string[] = []): Pipeline {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const stages = pipeline.stages
    .filter(({ name }) => !off.includes(name))
    .toSorted((one, other) => rank(one.name) - rank(other.name));
  return { ...pipeline, stages };
}
