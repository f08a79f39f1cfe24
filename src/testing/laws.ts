import { isDeepStrictEqual } from 'node:util';
import { applyPatch } from '../json/apply-patch.ts';
import { isJsonArray, type Json } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { valueAt } from '../json/value-at.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { createPipeline, type Entry } from '../pipeline/pipeline.ts';
import { runPipeline } from '../pipeline/run-pipeline.ts';
import type { Outcome } from '../pipeline/trace.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { ObjectRef } from '../sdk/reads.ts';
import type { Request } from '../sdk/request.ts';
import { withApiDefaults } from './api-defaults.ts';
import { declaredView, isDeclared } from './declared-view.ts';

export interface LawSubject {
  readonly entry: Entry;
  readonly request: Request;
  readonly object: KubeObject;
  readonly cluster: ClusterView;
  readonly files?: FileView;
  /** The injector may replace, move or remove something here. */
  readonly removes?: boolean;
  /** Other injectors with which it must settle, before and after it. */
  readonly companions?: readonly Entry[];
}

/** Runs an injector on an object, exactly as the server does, and checks the laws that hold for every injector. */
export function checkLaws(subject: LawSubject): Outcome {
  const { entry, request, cluster, files, removes = false, companions = [] } = subject;
  const object = deepFreeze(structuredClone(subject.object));
  const run = (input: KubeObject) => runPipeline(createPipeline([entry], []), request, input, cluster, files);

  const outcome = run(object);
  law(isDeepStrictEqual(run(object), outcome), 'it gives the same outcome for the same object');
  checkReads(subject, object, outcome);
  if (!outcome.allowed) return outcome;
  const patched = applyPatch(asJson(object), outcome.patch);
  law(isDeepStrictEqual(patched, outcome.object), 'the patch, applied to the original, gives the object');
  checkSecondRun(run, outcome.object, 'a second run changes nothing');
  if (object.kind === 'Pod') {
    const stored = withApiDefaults(asJson(outcome.object)) as unknown as KubeObject;
    checkSecondRun(
      run,
      stored,
      'a second run after the API server has filled in its defaults changes nothing',
    );
  }
  if (!removes) {
    const loss = firstLoss(asJson(object), outcome.patch);
    law(loss === undefined, `it only adds, but there is ${JSON.stringify(loss)}`);
  }
  for (const entries of [
    [entry, ...companions],
    [...companions, entry],
  ]) {
    runPipeline(createPipeline(entries, []), request, object, cluster, files);
  }
  return outcome;
}

/** On a live cluster an injector sees only what it declares. */
function checkReads(subject: LawSubject, object: KubeObject, outcome: Outcome): void {
  const { entry, request, cluster, files } = subject;
  const pipeline = createPipeline([entry], []);
  const reads = pipeline.stages.flatMap((stage) => stage.reads);
  const live = runPipeline(pipeline, request, object, declaredView(cluster, reads), files);
  law(
    isDeepStrictEqual(live, outcome),
    `what it declares in "reads" is enough, but with only that the outcome is ${JSON.stringify(live.trace.at(-1))}`,
  );
  if (outcome.trace.every(({ decision }) => decision === 'unmatched')) return;
  const needs: readonly ObjectRef[] = entry.injector.needs?.(object, { request, config: entry.config }) ?? [];
  const need = needs.find((each) => !isDeclared(reads, each.ref, each));
  law(need === undefined, `it declares in "reads" what it needs, but not ${need?.ref.kind} "${need?.name}"`);
}

function checkSecondRun(run: (input: KubeObject) => Outcome, object: KubeObject, name: string): void {
  const second = run(deepFreeze(structuredClone(object)));
  const changes = second.allowed ? second.patch : [{ denied: second.reason }];
  law(changes.length === 0, `${name}, but there is ${JSON.stringify(changes[0])}`);
}

/** The first operation that loses something; filling a null or lengthening a string loses nothing. */
function firstLoss(document: Json, patch: Patch): Operation | undefined {
  let current = document;
  for (const operation of patch) {
    const found = valueAt(current, operation.path) ?? null;
    if (operation.op === 'remove' || operation.op === 'move') return operation;
    const inserts = operation.op === 'add' && isJsonArray(valueAt(current, parentOf(operation.path)));
    const lengthens = typeof found === 'string' && String(operation.value).includes(found);
    if (!inserts && found !== null && !lengthens) return operation;
    current = applyPatch(current, [operation]);
  }
  return undefined;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function law(holds: boolean, name: string): asserts holds {
  if (!holds) throw new Error(`Law broken: ${name}`);
}

/** Writing to a frozen object throws, so that an injector that changes its input fails. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
