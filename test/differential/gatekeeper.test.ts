import { afterAll, describe, expect, it } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { gatekeeper } from '../../src/injectors/gatekeeper/gatekeeper.ts';
import { isInvalid, readMutator } from '../../src/injectors/gatekeeper/resource/read-mutator.ts';
import { createSystem } from '../../src/injectors/gatekeeper/system/system.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { sameJson } from '../../src/json/same-json.ts';
import { withoutNulls } from '../../src/json/without-nulls.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runStages } from '../../src/pipeline/run-pipeline.ts';
import type { CallView } from '../../src/sdk/calls.ts';
import { expectAgreement, type Judgement, SEEDS } from './differential.ts';
import { type MutationCase, randomMutation } from './random-mutators.ts';
import { startOracle } from './start-oracle.ts';

/** What a system makes of a case. */
interface Result {
  /** `Kind/name` of those that are refused. */
  readonly invalid: readonly string[];
  readonly conflicts: readonly string[];
  /** Undefined if the request fails. */
  readonly object: Json | undefined;
  readonly reason?: string;
}

interface Answer {
  readonly invalid: { readonly [name: string]: string };
  readonly conflicts: readonly string[];
  readonly error?: string;
  readonly object?: Json;
}

const oracle = startOracle('gatekeeper');
afterAll(() => oracle?.stop());

describe.skipIf(oracle === undefined)('Gatekeeper', () => {
  it.each(SEEDS)('agrees on random mutators and objects, with %s', async (_, seed) => {
    await expectAgreement({ generate: randomMutation, judge }, 'Gatekeeper', seed);
  });

  it.each(Object.entries(EXAMPLES))('is still in need of the rule: %s', async (rule, example) => {
    expect(await judge(example)).toEqual({ mended: rule });
  });
});

/** Departures that docs/injectors/gatekeeper.md lists: what Gatekeeper makes of the case without its peculiarity. */
const RULES: readonly { readonly name: string; theirs(subject: MutationCase): Promise<Result> }[] = [
  { name: 'integers in values are no floats', theirs: (subject) => ask(subject, true) },
  { name: 'null is absent', theirs: (subject) => ask(withoutNulls(subject as never) as never, true) },
];

async function judge(subject: MutationCase): Promise<Judgement> {
  const ours = run(subject);
  const theirs = await ask(subject, false);
  if (sameResult(ours, theirs)) return again(subject, ours);
  for (const { name, theirs } of RULES) {
    const result = await theirs(subject);
    if (sameResult(ours, result)) return { mended: name };
    if (sameResult(ours, result, withoutEmpty)) return { mended: 'no empty values' };
  }
  return { difference: `ours: ${JSON.stringify(ours)}\ntheirs: ${JSON.stringify(theirs)}` };
}

/** Both laws of moving over: a second run changes nothing, whoever has made the first one. */
function again(subject: MutationCase, { object }: Result): Judgement {
  if (object === undefined) return 'equal';
  const second = run({ ...subject, object: object as unknown as KubeObject }).object;
  return second !== undefined && sameJson(second, object)
    ? 'equal'
    : { difference: `a second run changes ${JSON.stringify(object)} to ${JSON.stringify(second)}` };
}

function sameResult(ours: Result, theirs: Result, canonical = (value: Json) => value): boolean {
  if (ours.invalid.join() !== theirs.invalid.join()) return false;
  if (ours.conflicts.join() !== theirs.conflicts.join()) return false;
  if (ours.object === undefined || theirs.object === undefined) return ours.object === theirs.object;
  return sameJson(canonical(ours.object), canonical(theirs.object));
}

/** Go omits such values. */
function withoutEmpty(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, withoutEmpty(child)] as const);
  return Object.fromEntries(entries.filter(([, child]) => !isEmpty(child)));
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

async function ask(subject: MutationCase, exactNumbers: boolean): Promise<Result> {
  const { namespace } = subject.object.metadata;
  // As Gatekeeper's webhook does it.
  const object = {
    ...subject.object,
    metadata: { ...subject.object.metadata, namespace: namespace ?? NAMESPACE },
  };
  const answer = await oracle?.ask<Answer>({ ...subject, object, exactNumbers });
  if (answer === undefined) throw new Error('no oracle');
  const { invalid, conflicts, error, object: mutated } = answer;
  const result = { invalid: Object.keys(invalid).sort(), conflicts };
  if (error !== undefined) return { ...result, object: undefined, reason: error };
  return { ...result, object: withoutNamespace(mutated as JsonObject, namespace) };
}

const NAMESPACE = 'shop';

function withoutNamespace(object: JsonObject, namespace: string | undefined): JsonObject {
  if (namespace !== undefined || !isJsonObject(object.metadata)) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

const PIPELINE = createPipeline(
  [{ name: 'gatekeeper', injector: gatekeeper, config: gatekeeper.config?.({}) }],
  [],
);

function run({ mutators, object, namespace, username, operation }: MutationCase): Result {
  const system = createSystem(mutators.map(readMutator));
  const invalid = mutators.filter((each) => isInvalid(readMutator(each))).map(nameOf);
  const conflicts = system.conflicts.flatMap((conflict) =>
    conflict.mutators.map(({ kind, name }) => `${kind}/${name}`),
  );
  const result = { invalid: invalid.sort(), conflicts: [...new Set(conflicts)].sort() };
  const cluster = filesView([...mutators, ...PROVIDERS, ...(namespace ? [namespace] : [])]);
  const request = requestFor(object, { operation, namespace: NAMESPACE, username });
  // Without what podgraft leaves alone whatever the injector: Pods on UPDATE, and invalid ones.
  const candidates = PIPELINE.stages.map((stage) => ({ stage, mismatch: undefined }));
  try {
    const outcome = runStages(
      { isExcluded: false, candidates },
      request,
      object,
      cluster,
      undefined,
      undefined,
      CALLS,
    );
    return { ...result, object: outcome.allowed ? asJson(outcome.object) : undefined };
  } catch (error) {
    return { ...result, object: undefined, reason: String(error) };
  }
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind}/${metadata.name}`;
}

const PROVIDERS = ['names', 'broken'].map(
  (name) =>
    ({
      apiVersion: 'externaldata.gatekeeper.sh/v1beta1',
      kind: 'Provider',
      metadata: { name },
      spec: { url: `https://${name}/`, caBundle: btoa('-----BEGIN CERTIFICATE-----') },
    }) as KubeObject,
);

/** Like those of the oracle. */
const CALLS: CallView = {
  replies: [],
  reply({ url, body }) {
    if (url === 'https://broken/') return { failure: 'out of order' };
    const { keys } = (body as { readonly request: { readonly keys: readonly string[] } }).request;
    const items = keys.map((key) => ({
      key,
      value: key.startsWith('answer-for-') ? key : `answer-for-${key}`,
    }));
    return { body: { response: { idempotent: true, items } } };
  },
};

const EXAMPLES: { readonly [rule: string]: MutationCase } = {};
