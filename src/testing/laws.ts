import { isDeepStrictEqual } from 'node:util';
import { createMark } from '../admission/mark.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { createPipeline, type Entry, type Pipeline } from '../pipeline/pipeline.ts';
import { runPipeline } from '../pipeline/run-pipeline.ts';
import type { Outcome } from '../pipeline/trace.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { ObjectRef } from '../sdk/reads.ts';
import type { Request } from '../sdk/request.ts';
import { withApiDefaults } from './api-defaults.ts';
import { declaredView, isDeclared } from './declared-view.ts';
import { firstLoss } from './first-loss.ts';
import { type Served, serveReview } from './serve-review.ts';

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
export function checkLaws(given: LawSubject): Outcome {
  const subject = asSent(given);
  const { entry, request, object, cluster, files, removes = false, companions = [] } = subject;
  const pipeline = pipelineOf([entry]);
  const serve = (input: KubeObject) => serveReview(request, input, { pipeline, cluster, files });

  const served = serve(object);
  const outcome = runPipeline(pipeline, request, object, cluster, files);
  const isSame = isDeepStrictEqual(serve(object), served) && isDeepStrictEqual(outcome.trace, served.trace);
  law(isSame, 'it gives the same outcome for the same object');
  checkReads(subject, served);
  if (!outcome.allowed) return outcome;
  law(
    isDeepStrictEqual(served.object, outcome.object),
    'the patch, applied to the original, gives the object',
  );
  checkSecondRun(serve, outcome.object, 'a second run changes nothing');
  if (object.kind === 'Pod') {
    checkSecondRun(
      serve,
      asStoredPod(outcome.object),
      'a second run after the API server has filled in its defaults changes nothing',
    );
  }
  checkJudgement(subject);
  if (!removes) {
    const loss = firstLoss(asJson(object), outcome.patch);
    law(loss === undefined, `it only adds, but there is ${JSON.stringify(loss)}`);
  }
  for (const entries of [
    [entry, ...companions],
    [...companions, entry],
  ]) {
    serveReview(request, object, { pipeline: pipelineOf(entries), cluster, files });
  }
  return outcome;
}

/** As a review has it: JSON, with a uid, which requests for files lack. */
export function asSent({ request, object, ...rest }: LawSubject): LawSubject {
  return {
    ...rest,
    request: { ...request, uid: request.uid || 'none' },
    object: deepFreeze(JSON.parse(JSON.stringify(object)) as KubeObject),
  };
}

export function pipelineOf(entries: readonly Entry[]): Pipeline {
  return createPipeline(
    entries.map((entry) => ({ ...entry, injector: withFrozenInputs(entry.injector) })),
    [],
  );
}

/** The server parses objects from bytes: they are frozen on their way to the injector. */
function withFrozenInputs(injector: AnyInjector): AnyInjector {
  return Object.assign(Object.create(injector) as AnyInjector, {
    inject: (object, context) => injector.inject(deepFreeze(object), context),
    ...(injector.needs && {
      needs: (object, context) => injector.needs?.(deepFreeze(object), context) ?? [],
    }),
    ...(injector.validate && {
      validate: (object, context) => injector.validate?.(deepFreeze(object), context),
    }),
  } satisfies Partial<AnyInjector>);
}

/** On a live cluster an injector sees only what it declares. */
function checkReads({ entry, request, object, cluster, files }: LawSubject, served: Served): void {
  const pipeline = pipelineOf([entry]);
  const reads = pipeline.stages.flatMap((stage) => stage.reads);
  const live = serveReview(request, object, { pipeline, cluster: declaredView(cluster, reads), files });
  law(
    isDeepStrictEqual(live, served),
    `what it declares in "reads" is enough, but with only that the outcome is ${JSON.stringify(live.trace.at(-1))}`,
  );
  if (served.trace.every(({ decision }) => decision === 'unmatched')) return;
  const needs: readonly ObjectRef[] = entry.injector.needs?.(object, { request, config: entry.config }) ?? [];
  const need = needs.find((each) => !isDeclared(reads, each.ref, each));
  law(need === undefined, `it declares in "reads" what it needs, but not ${need?.ref.kind} "${need?.name}"`);
}

function checkSecondRun(serve: (input: KubeObject) => Served, object: KubeObject, name: string): void {
  const { response, patch } = serve(object);
  const changes = response.allowed ? patch : [{ denied: response.status?.message }];
  law(changes.length === 0, `${name}, but there is ${JSON.stringify(changes[0])}`);
}

/** A server with a final check marks what it injects, and is asked for its judgement of the result, perhaps more than once. */
function checkJudgement({ entry, request, object, cluster, files }: LawSubject): void {
  const mark = createMark(new Map([[entry.name, 'this']]));
  const options = { pipeline: pipelineOf([entry]), cluster, files, mark };
  const injected = serveReview(request, object, options).object as unknown as KubeObject;
  const stored = object.kind === 'Pod' ? asStoredPod(injected) : injected;
  const judge = () => serveReview(request, stored, { ...options, finalCheck: 'deny' });
  const judged = judge();
  law(isDeepStrictEqual(judge(), judged), 'it judges the same object the same way');
  const change = judged.trace.find((step) => step.decision === 'grafted' && step.patch.length > 0);
  law(
    change === undefined,
    `the final check finds nothing to change, but there is ${JSON.stringify(change)}`,
  );
}

export function asStoredPod(pod: KubeObject): KubeObject {
  return withApiDefaults(asJson(pod)) as unknown as KubeObject;
}

export function law(holds: boolean, name: string): asserts holds {
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
