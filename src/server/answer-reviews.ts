import type { ServerResponse } from 'node:http';
import { type Answer, answerMutate, answerValidate, type FinalCheck } from '../admission/answer.ts';
import { parseReview, type Review } from '../admission/parse-review.ts';
import type { ObjectRef } from '../kube/resource.ts';
import { missingNeeds } from '../pipeline/needs.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import { type Deadline, millisecondsLeft } from './deadline.ts';
import { inBatches } from './in-batches.ts';
import type { Limits } from './limits.ts';
import { identityOf, type Log, logReview } from './log.ts';
import type { Metrics, ReviewPath } from './metrics.ts';
import { fail, reject, sendJson } from './plain-answers.ts';

export interface AnswerOptions {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly files?: FileView;
  /** Reads objects into the view that are not there yet; absent where the view holds all there is. */
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<void>;
  readonly finalCheck: FinalCheck;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly draining: () => boolean;
}

/** A request for a review, of which everything has been read. */
export interface Arrival {
  readonly path: ReviewPath;
  /** The path as it was called: `/inject/…` is another name for `/mutate`. */
  readonly called: string;
  readonly body: Buffer;
  readonly deadline: Deadline;
  readonly response: ServerResponse;
}

interface Parsed extends Arrival {
  readonly review: Review;
}

interface Decided extends Parsed {
  readonly answer: Answer;
}

/**
 * Answers reviews. Those that came in together go through each stage together: once a stage has run for one of them, its code and
 * what it reads are in the processor's caches for the others, which is several times as fast as taking turns with TLS and HTTP. From
 * the gathered view to the encoded answer nothing waits.
 */
export function answerReviews(options: AnswerOptions): (arrival: Arrival) => void {
  const { limits, metrics, log } = options;
  const batch = {
    items: limits.batchedReviews,
    weight: limits.batchedBytes,
    weightOf: ({ body }: Arrival) => body.length,
  };
  return inBatches(batch, (arrivals) => {
    const parsed = each(arrivals, parse);
    answer(options.gather === undefined ? parsed : each(parsed, complete));
  });

  /** One step for each of them. What fails is answered there and then, and the others go on. */
  function each<T extends Arrival, U>(items: readonly T[], step: (item: T) => U | undefined): U[] {
    const next: U[] = [];
    for (const item of items) {
      try {
        const result = step(item);
        if (result !== undefined) next.push(result);
      } catch (error) {
        failed(error, item);
      }
    }
    return next;
  }

  /**
   * Whoever answers counts down, and not the response when it closes: one that waits for others on its connection never
   * does when that breaks.
   */
  function failed(error: unknown, item: Arrival | Parsed): void {
    fail(error, item.response, metrics, log, 'review' in item ? identityOf(item.review.request) : {});
    metrics.inFlight--;
  }

  function answer(parsed: readonly Parsed[]): void {
    each(each(parsed, decide), deliver);
  }

  /** What needs an object that is not in the view yet goes on by itself when that has been looked for. */
  function complete(parsed: Parsed): Parsed | undefined {
    const { request } = parsed.review;
    if (request.object === undefined) return parsed;
    const needs = missingNeeds(options.pipeline, request, request.object, options.cluster);
    if (needs.length === 0) return parsed;
    void gatherThenAnswer(parsed, needs);
    return undefined;
  }

  async function gatherThenAnswer(parsed: Parsed, needs: readonly ObjectRef[]): Promise<void> {
    try {
      await options.gather?.(needs, Math.min(limits.gatherMs, millisecondsLeft(parsed.deadline) / 2));
    } catch (error) {
      return failed(error, parsed);
    }
    answer([parsed]);
  }

  function decide(parsed: Parsed): Decided | undefined {
    const { path, review, deadline, response } = parsed;
    if (millisecondsLeft(deadline) <= 0) {
      response.setHeader('Retry-After', '1');
      reject(response, metrics, 429, 'deadline', 'the caller has given up');
      metrics.inFlight--;
      return undefined;
    }
    const { pipeline, cluster, files, finalCheck } = options;
    const answer =
      path === '/mutate'
        ? answerMutate(review, pipeline, cluster, files)
        : answerValidate(review, pipeline, finalCheck, cluster, files);
    return { ...parsed, answer };
  }

  function deliver({ path, review, deadline, response, answer }: Decided): void {
    if (options.draining()) response.setHeader('Connection', 'close');
    sendJson(response, answer.body);
    const seconds = (performance.now() - deadline.start) / 1000;
    metrics.reviewed(path, review.request, answer.trace, answer.operations, seconds);
    logReview(log, path, review.request, answer, seconds);
    metrics.inFlight--;
  }
}

function parse(arrival: Arrival): Parsed {
  const { apiVersion, request } = parseReview(arrival.body);
  const { path, called } = arrival;
  // An injector may be told more by the path, as by those of Istio's webhooks.
  const review = { apiVersion, request: called === path ? request : { ...request, path: called } };
  return { ...arrival, review };
}
