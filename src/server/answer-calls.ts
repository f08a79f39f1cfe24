import type { ServerResponse } from 'node:http';
import { type Answer, answerReview, type ReviewOptions } from '../admission/answer-review.ts';
import { parseReview } from '../admission/parse-review.ts';
import { InjectorFailed } from '../pipeline/pipeline-errors.ts';
import type { OnStage } from '../pipeline/run-pipeline.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { type Deadline, millisecondsLeft } from './deadline.ts';
import { type Rejection, sendJson, sendRejection } from './http-replies.ts';
import { inBatches } from './in-batches.ts';
import { InjectorClock, type LongestCall } from './injector-clock.ts';
import type { Limits } from './limits/limits.ts';
import { limitUnread } from './limits/unread-answers.ts';
import { generateNameIn, identityOf, type Log, logFailures, logReview, stackOf } from './log.ts';
import type { MakeCalls } from './make-calls.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { RecordDecision } from './metrics/record-decisions.ts';
import type { Setup } from './setup.ts';
import type { Progress } from './watchdog/progress.ts';

export interface AnswerOptions {
  /** Read once per review. */
  readonly setup: () => Setup;
  readonly call?: MakeCalls;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly draining: () => boolean;
  /** Where the watchdog sees the work under way; absent without one. */
  readonly progress?: Progress;
  /** Keeps decisions for the page; absent without one. */
  readonly record?: RecordDecision;
}

/** A review call whose body has been read. */
export interface ReviewCall {
  readonly endpoint: '/mutate' | '/validate';
  /** The URL path, if it is one of an injector's `paths`. */
  readonly path?: string;
  readonly body: Buffer;
  readonly deadline: Deadline;
  readonly response: ServerResponse;
  /** Whether it has given way to others, and been answered with 429. */
  readonly isOver: () => boolean;
  /** Called when the call has been answered, or would have been: until then its body is in memory. */
  readonly release: () => void;
}

/**
 * Answers review calls. Those that arrive in one turn of the event loop are all answered before the first response is sent:
 * code and data of the engine stay in the processor's caches, which is faster than taking turns with TLS and HTTP.
 */
export function createAnswerer(options: AnswerOptions): (call: ReviewCall) => void {
  const { limits, metrics, log, progress, record } = options;
  const clock = new InjectorClock();
  const holdUnread = limitUnread(limits.unreadBytes);
  const onStage: OnStage = (injector, request) => {
    clock.call(injector);
    progress?.stage(injector, request);
  };
  const batch = {
    items: limits.batchedReviews,
    weight: limits.batchedBytes,
    weightOf: ({ body }: ReviewCall) => body.length,
  };
  return inBatches(batch, (calls) => {
    const replies: (Reply | Promise<Reply>)[] = [];
    let bytes = 0;
    // Large answers do not wait for others in memory.
    while (replies.length < calls.length && bytes <= limits.batchedBytes) {
      const reply = replyTo(calls[replies.length] as ReviewCall);
      replies.push(reply);
      if ('body' in reply) bytes += reply.body.length;
    }
    for (const [index, reply] of replies.entries()) {
      const call = calls[index] as ReviewCall;
      if (reply instanceof Promise) void reply.then((late) => deliver(call, late));
      else deliver(call, reply);
    }
    return replies.length;
  });

  /** The edge of the server: every exception becomes a rejection. */
  function replyTo(call: ReviewCall): Reply | Promise<Reply> {
    if (call.isOver() || millisecondsLeft(call.deadline) <= 0) return TOO_LATE;
    const failed = (error: unknown) => rejectionFor(error, call);
    progress?.beat();
    clock.start();
    try {
      const answer = answerReview(call.body, reviewOptions(call));
      if (!(answer instanceof Promise)) return isSlow(call) ? withLongestCall(answer, clock.stop()) : answer;
      return answer
        .then((late) => (millisecondsLeft(call.deadline) <= 0 ? TOO_LATE : late))
        .catch(failed)
        .finally(() => progress?.idle());
    } catch (error) {
      return failed(error);
    } finally {
      progress?.idle();
    }
  }

  /** Judged by the time elapsed so far. */
  function isSlow({ deadline }: ReviewCall): boolean {
    return performance.now() - deadline.start >= limits.slowMs;
  }

  function reviewOptions({ endpoint, path, deadline }: ReviewCall): ReviewOptions {
    const { call } = options;
    const { pipeline, cluster, files, gather, finalCheck = 'deny', mark } = options.setup();
    return {
      pipeline,
      cluster,
      files,
      gather:
        gather &&
        (async (needs) => {
          const failed = await gather(needs, Math.min(limits.gatherMs, millisecondsLeft(deadline) / 2));
          // Many reviews may continue in a row.
          options.progress?.beat();
          return failed;
        }),
      // The rest of the time is for the next run.
      call: call && ((calls) => call(calls, 0.8 * millisecondsLeft(deadline))),
      finalCheck: endpoint === '/validate' ? finalCheck : undefined,
      mark,
      path,
      onStage,
    };
  }

  function rejectionFor(error: unknown, { body }: ReviewCall): Rejection {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof PodgraftError ? error.code : 'INTERNAL';
    if (code === 'REVIEW_INVALID') return { status: 400, reason: 'bad_review', message };
    const injector = error instanceof InjectorFailed ? error.injector : undefined;
    const { request } = parseReview(body);
    log.error(
      {
        ...identityOf(request),
        ...generateNameIn(request, body),
        code,
        injector,
        error: message,
        stack: stackOf(error),
      },
      'review failed',
    );
    return { status: 500, reason: 'injector_failed', message, ...(injector && { injector }) };
  }

  function deliver(call: ReviewCall, reply: Reply): void {
    const { endpoint, response, deadline } = call;
    try {
      if (call.isOver()) return;
      if (!('body' in reply)) {
        metrics.rejected(reply.reason, reply.injector);
        sendRejection(response, reply);
        return record?.(endpoint, call.body, reply, performance.now() - deadline.start);
      }
      if (options.draining()) response.setHeader('Connection', 'close');
      sendJson(response, reply.body);
      holdUnread(response, reply.body.length);
      const { request } = reply;
      if (request === undefined) return metrics.rejected('bad_review');
      const seconds = (performance.now() - deadline.start) / 1000;
      metrics.reviewed(endpoint, request, reply.trace, reply.operations, seconds);
      const { longestCall } = reply;
      const reviewed = {
        path: endpoint,
        request,
        body: call.body,
        answer: reply,
        seconds,
        ...(longestCall && { longestCall }),
      };
      logFailures(log, reviewed);
      logReview(log, reviewed, limits.slowMs);
      record?.(endpoint, call.body, reply, seconds * 1000);
    } catch (error) {
      // Other reviews of the batch follow, and the process must go on.
      log.error({ error: String(error), stack: stackOf(error) }, 'review not recorded');
      if (!response.headersSent) response.destroy();
    } finally {
      // On the answer, not on `close`: a pipelined response may never close.
      call.release();
    }
  }
}

type Reply = TimedAnswer | Rejection;

interface TimedAnswer extends Answer {
  /** Of a slow review, unless it waited for other objects or services. */
  readonly longestCall?: LongestCall;
}

function withLongestCall(answer: Answer, longestCall: LongestCall | undefined): TimedAnswer {
  return longestCall === undefined ? answer : { ...answer, longestCall };
}

const TOO_LATE: Rejection = { status: 429, reason: 'deadline', message: 'the caller has given up' };
