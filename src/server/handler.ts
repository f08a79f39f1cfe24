import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type AnswerOptions, answerReviews } from './answer-reviews.ts';
import { deadlineOf } from './deadline.ts';
import type { RejectReason, ReviewPath } from './metrics.ts';
import { answerHealth, type Health, reject, send } from './plain-answers.ts';
import { readBody } from './read-body.ts';

export interface HandlerOptions extends AnswerOptions, Health {
  /** The common name that the API server's client certificate must have, if it must have one. */
  readonly clientName?: string;
}

/** Answers one HTTP request: finds out what is asked, and lets through to the reviews what may be one. */
export function createHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { limits, metrics, clientName } = options;
  const answerReview = answerReviews(options);

  return (request, response) => {
    const path = pathOf(request);
    if (path === '/healthz' || path === '/readyz') return answerHealth(request, response, path, options);
    const asked = reviewPathOf(path);
    if (asked === undefined) return send(response, 404, `no such path: ${path}`);
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return send(response, 405, `${path} takes POST`);
    }
    receive(asked, path, request, response);
  };

  function receive(
    path: ReviewPath,
    called: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const deadline = deadlineOf(request.url ?? '');
    if (!isJson(request.headers['content-type'])) {
      return refuse(response, 415, 'content_type', 'Content-Type must be application/json');
    }
    if (clientName !== undefined && !isClient(request.socket as TLSSocket, clientName)) {
      return refuse(response, 403, 'unauthorized', 'no client certificate of the API server');
    }
    if (metrics.inFlight >= limits.concurrentReviews) {
      response.setHeader('Retry-After', '1');
      return refuse(response, 429, 'overloaded', 'too many reviews at once');
    }
    metrics.inFlight++;
    readBody(request, limits.bodyBytes, (body) => {
      if (typeof body === 'object') {
        return answerReview({ path, called, body: body.bytes, deadline, response });
      }
      metrics.inFlight--;
      if (body === 'too large') {
        refuse(response, 413, 'too_large', `the body is over ${limits.bodyBytes} bytes`);
      }
    });
  }

  function refuse(response: ServerResponse, status: number, reason: RejectReason, message: string): void {
    reject(response, metrics, status, reason, message);
  }
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

function isJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || /^application\/json\s*(;|$)/i.test(contentType ?? '');
}

function isClient(socket: TLSSocket, name: string): boolean {
  return socket.authorized === true && socket.getPeerCertificate().subject?.CN === name;
}
