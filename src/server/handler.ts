import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type Answer, answerMutate, answerValidate, type FinalCheck } from '../admission/answer.ts';
import { parseReview, type Review } from '../admission/parse-review.ts';
import type { ObjectRef } from '../kube/resource.ts';
import { missingNeeds } from '../pipeline/needs.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import { type Deadline, deadlineOf, millisecondsLeft } from './deadline.ts';
import type { Limits } from './limits.ts';
import { type Log, logReview } from './log.ts';
import type { Metrics, RejectReason, ReviewPath } from './metrics.ts';
import { readBody } from './read-body.ts';

export interface HandlerOptions {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly files?: FileView;
  /** Reads objects into the view that are not there yet; absent where the view holds all there is. */
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<void>;
  readonly finalCheck: FinalCheck;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Why the server is not ready; empty when it is. */
  readonly notReady: () => readonly string[];
  /** What is wrong without keeping us from answering; shown with readiness. */
  readonly problems?: () => readonly string[];
  readonly draining: () => boolean;
  /** The common name that the API server's client certificate must have, if it must have one. */
  readonly clientName?: string;
}

/** Answers one HTTP request. Everything between the last byte of the body and the answer runs without waiting. */
export function createHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { limits, metrics, log } = options;

  return (request, response) => {
    const path = pathOf(request);
    if (path === '/healthz' || path === '/readyz') return answerHealth(request, response, path, options);
    const asked = reviewPathOf(path);
    if (asked === undefined) return send(response, 404, `no such path: ${path}`);
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return send(response, 405, `${path} takes POST`);
    }
    answerReview(asked, path, request, response);
  };

  function answerReview(
    path: ReviewPath,
    called: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const deadline = deadlineOf(request.url ?? '');
    if (!isJson(request.headers['content-type'])) {
      return reject(response, 415, 'content_type', 'Content-Type must be application/json');
    }
    if (options.clientName !== undefined && !isClient(request.socket as TLSSocket, options.clientName)) {
      return reject(response, 403, 'unauthorized', 'no client certificate of the API server');
    }
    if (metrics.inFlight >= limits.concurrentReviews) {
      response.setHeader('Retry-After', '1');
      return reject(response, 429, 'overloaded', 'too many reviews at once');
    }
    metrics.inFlight++;
    response.on('close', ended);
    readBody(request, limits.bodyBytes, (body) => {
      if (body === 'too large') {
        return reject(response, 413, 'too_large', `the body is over ${limits.bodyBytes} bytes`);
      }
      try {
        const parsed = parseReview(body.bytes);
        const review = called === path ? parsed : withPath(parsed, called);
        const needs = options.gather ? neededFor(review, options) : [];
        if (needs.length === 0) decide(path, review, response, deadline);
        else void gatherThenDecide(path, review, needs, response, deadline);
      } catch (error) {
        fail(error, response);
      }
    });
  }

  async function gatherThenDecide(
    path: ReviewPath,
    review: Review,
    needs: readonly ObjectRef[],
    response: ServerResponse,
    deadline: Deadline,
  ): Promise<void> {
    try {
      await options.gather?.(needs, Math.min(limits.gatherMs, millisecondsLeft(deadline) / 2));
      decide(path, review, response, deadline);
    } catch (error) {
      fail(error, response);
    }
  }

  function decide(path: ReviewPath, review: Review, response: ServerResponse, deadline: Deadline): void {
    if (millisecondsLeft(deadline) <= 0) {
      response.setHeader('Retry-After', '1');
      return reject(response, 429, 'deadline', 'the caller has given up');
    }
    const answer = answerOf(path, review);
    sendJson(response, answer.body);
    const seconds = (performance.now() - deadline.start) / 1000;
    metrics.reviewed(path, review.request, answer.trace, answer.operations, seconds);
    logReview(log, path, review.request, answer, seconds);
  }

  /** One for all responses: a listener of its own for each would be one more thing to make. */
  function ended(): void {
    metrics.inFlight--;
  }

  function answerOf(path: ReviewPath, review: Review): Answer {
    return path === '/mutate'
      ? answerMutate(review, options.pipeline, options.cluster, options.files)
      : answerValidate(review, options.pipeline, options.finalCheck, options.cluster, options.files);
  }

  function sendJson(response: ServerResponse, body: string): void {
    if (options.draining()) response.setHeader('Connection', 'close');
    const length = Buffer.byteLength(body);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
    // The same bytes; but what is said to be Latin-1 is copied as it is, and not counted and encoded anew.
    response.end(body, length === body.length ? 'latin1' : 'utf8');
  }

  /** The edge: whatever was thrown on the way becomes a status and one line. */
  function fail(error: unknown, response: ServerResponse): void {
    const known = error instanceof PodgraftError;
    const message = error instanceof Error ? error.message : String(error);
    if (known && error.code === 'REVIEW_INVALID') return reject(response, 400, 'bad_review', message);
    log.error({ code: known ? error.code : 'INTERNAL', error: message }, 'review failed');
    reject(response, 500, 'injector_failed', message);
  }

  function reject(response: ServerResponse, status: number, reason: RejectReason, message: string): void {
    metrics.rejected(reason);
    if (response.headersSent || response.destroyed) return;
    // What is left of the body is not read: the connection cannot be used again.
    if (status !== 500) response.setHeader('Connection', 'close');
    send(response, status, message);
  }
}

function neededFor({ request }: Review, { pipeline, cluster }: HandlerOptions): readonly ObjectRef[] {
  return request.object === undefined ? [] : missingNeeds(pipeline, request, request.object, cluster);
}

/** Also served in plain HTTP beside the metrics, for probes that cannot do TLS. */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  path: '/healthz' | '/readyz',
  { notReady, problems }: Pick<HandlerOptions, 'notReady' | 'problems'>,
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, `${path} takes GET`);
  const reasons = path === '/healthz' ? [] : notReady();
  const details = path === '/healthz' ? [] : (problems?.() ?? []);
  if (reasons.length === 0) send(response, 200, ['ok', ...details].join('\n'));
  else send(response, 503, reasons.join('\n'));
}

export function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** `/inject` and all below it are the paths of Istio's webhook configurations, which can be pointed here as they are. */
function reviewPathOf(path: string): ReviewPath | undefined {
  if (path === '/mutate' || path === '/validate') return path;
  return path === '/inject' || path.startsWith('/inject/') ? '/mutate' : undefined;
}

function withPath(review: Review, path: string): Review {
  return { ...review, request: { ...review.request, path } };
}

function isJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || /^application\/json\s*;/i.test(contentType ?? '');
}

function isClient(socket: TLSSocket, name: string): boolean {
  return socket.authorized === true && socket.getPeerCertificate().subject?.CN === name;
}
