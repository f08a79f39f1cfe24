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
import type { CallView, ServiceCall } from '../../src/sdk/calls.ts';
import type { Judgement } from './differential.ts';
import type { MutationCase } from './random-mutators.ts';
import { startOracle } from './start-oracle.ts';

/** The result of a system for a case. */
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

export const oracle = startOracle('gatekeeper');

/**
 * Departures that docs/injectors/gatekeeper.md lists, each as the changed question for which Gatekeeper answers like podgraft. All
 * together are the last resort.
 */
const RULES: { readonly [name: string]: (question: Question) => Question } = {
  'integers in values are not floats': (question) => ({ ...question, exactNumbers: true }),
  'null is absent': (question) => withoutNulls(question as never) as never,
  'pruning a missing list changes nothing': withMutators(pruneExisting),
  'path tests are compared by depth': withMutators(sortTests),
  'a ModifySet without values changes nothing': withMutators(dropWithoutValues),
  'an empty location is refused when it is read': withMutators(breakEmptyLocation),
  'an unknown Namespace matters only if everything else matches': withNamespace,
};

interface Question extends MutationCase {
  readonly exactNumbers?: boolean;
}

/** Compares podgraft with Gatekeeper on one case. */
export async function judge(subject: MutationCase): Promise<Judgement> {
  const ours = run(subject);
  const theirs = await ask(subject);
  const second = again(subject, ours);
  if (second !== 'equal' || sameResult(ours, theirs)) return second;
  const all = (question: Question) => Object.values(RULES).reduce((each, rule) => rule(each), question);
  for (const [name, rule] of [...Object.entries(RULES), ['several departures', all] as const]) {
    const result = await ask(rule(subject));
    // Nulls that no mutator touches stay in the object.
    if (sameResult(ours, result, withoutNulls)) return { departure: name };
    if (keepsFields(ours, result, subject)) return { departure: EXTRA };
    if (subject.object.kind === 'Pod' && sameResult(ours, result, withoutEmpty)) return { departure: EMPTY };
  }
  return { difference: `ours: ${JSON.stringify(ours)}\ntheirs: ${JSON.stringify(theirs)}` };
}

const EXTRA = 'fields beside the assigned ones stay inside lists and whole values';
const EMPTY = 'values that Go omits are absent';

function withNamespace(question: Question): Question {
  const name = question.object.metadata.namespace ?? NAMESPACE;
  return { namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, ...question };
}

function withMutators(change: (mutator: KubeObject) => readonly KubeObject[]) {
  return (question: Question): Question => ({ ...question, mutators: question.mutators.flatMap(change) });
}

interface Spec extends JsonObject {
  readonly location: string;
  readonly parameters: JsonObject & { readonly pathTests?: readonly PathTest[] };
}

type PathTest = { readonly subPath: string; readonly condition: string };

/** Its location still counts for conflicts. */
function neverApplied(mutator: KubeObject): KubeObject {
  const spec = mutator.spec as object;
  return { ...mutator, spec: { ...spec, match: { name: 'no-such-object' } } } as KubeObject;
}

function dropWithoutValues(mutator: KubeObject): readonly KubeObject[] {
  const { parameters } = mutator.spec as unknown as Spec;
  const isEmpty =
    mutator.kind === 'ModifySet' && (parameters.values as JsonObject | undefined)?.fromList === undefined;
  return [isEmpty ? neverApplied(mutator) : mutator];
}

function breakEmptyLocation(mutator: KubeObject): readonly KubeObject[] {
  const spec = mutator.spec as unknown as Spec;
  return [spec.location === '' ? ({ ...mutator, spec: { ...spec, location: '.' } } as KubeObject) : mutator];
}

/** Whether podgraft's result has all that Gatekeeper's has and, beyond that, only what was there before. */
function keepsFields(ours: Result, theirs: Result, { object }: MutationCase): boolean {
  if (ours.object === undefined || theirs.object === undefined) return false;
  const isFound = (more: Json, less: Json | undefined, found: Json | undefined): boolean => {
    if (less === undefined) return found !== undefined && sameJson(more, found);
    if (isJsonArray(more) && isJsonArray(less)) {
      const items = isJsonArray(found) ? found : [];
      return (
        more.length === less.length && more.every((item, index) => isFound(item, less[index], items[index]))
      );
    }
    if (!isJsonObject(more) || !isJsonObject(less)) return sameJson(more, less);
    const members = isJsonObject(found) ? found : {};
    return (
      Object.keys(less).every((key) => Object.hasOwn(more, key)) &&
      Object.keys(more).every((key) => isFound(more[key] as Json, less[key], members[key]))
    );
  };
  const same = { ...theirs, object: ours.object };
  return sameResult(ours, same) && isFound(ours.object, theirs.object, asJson(object));
}

/** One that only prunes what exists. */
function pruneExisting(mutator: KubeObject): readonly KubeObject[] {
  const { parameters, location, ...spec } = mutator.spec as unknown as Spec;
  if (mutator.kind !== 'ModifySet' || parameters.operation !== 'prune') return [mutator];
  const tests = parameters.pathTests ?? [];
  if (tests.some(({ condition }) => condition === 'MustNotExist')) return [neverApplied(mutator)];
  const pathTests = [...tests, { subPath: location, condition: 'MustExist' }];
  return [
    { ...mutator, spec: { ...spec, location, parameters: { ...parameters, pathTests } } } as KubeObject,
  ];
}

/** Gatekeeper compares their order in the list. */
function sortTests(mutator: KubeObject): readonly KubeObject[] {
  const { parameters, ...spec } = mutator.spec as unknown as Spec;
  if (parameters.pathTests === undefined) return [mutator];
  const pathTests = parameters.pathTests.toSorted((one, other) => one.subPath.length - other.subPath.length);
  return [{ ...mutator, spec: { ...spec, parameters: { ...parameters, pathTests } } } as KubeObject];
}

/** Both laws of a migration: a second run changes nothing, whichever system ran first. */
function again(subject: MutationCase, { object }: Result): Judgement {
  if (object === undefined) return 'equal';
  const second = run({ ...subject, object: object as unknown as KubeObject }).object;
  return second !== undefined && sameJson(second, object)
    ? 'equal'
    : { difference: `a second run changes ${JSON.stringify(object)} to ${JSON.stringify(second)}` };
}

function sameResult(
  ours: Result,
  theirs: Result,
  canonical: (value: Json) => Json = (value) => value,
): boolean {
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

async function ask(subject: Question): Promise<Result> {
  const { namespace } = subject.object.metadata;
  // Like Gatekeeper's webhook.
  const object = {
    ...subject.object,
    metadata: { ...subject.object.metadata, namespace: namespace ?? NAMESPACE },
  };
  const answer = await oracle?.ask<Answer>({ ...subject, object });
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
    const outcome = runStages({ candidates }, request, object, cluster, undefined, undefined, CALLS);
    if (!outcome.allowed) return { ...result, object: undefined, reason: outcome.reason };
    return { ...result, object: asJson(outcome.object) };
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
  reply({ url, body }: ServiceCall) {
    if (url === 'https://broken/') return { failure: 'out of order' };
    const { keys } = (body as { readonly request: { readonly keys: readonly string[] } }).request;
    const items = keys.map((key) => ({
      key,
      value: key.startsWith('answer-for-') ? key : `answer-for-${key}`,
    }));
    return { body: { response: { idempotent: true, items } } };
  },
};
