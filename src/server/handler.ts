import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type AnswerOptions, createAnswerer } from './answer-calls.ts';
import { deadlineOf } from './deadline.ts';
import { answerHealth, type Health } from './health.ts';
import { pathOf, type Rejection, sendRejection, sendText } from './http-replies.ts';
import type { FairShare } from './limits/fair-share.ts';
import { hasTooManyValues } from './limits/has-too-many-values.ts';
import type { Connections } from './limits/limit-connections.ts';
import { readBody } from './limits/read-body.ts';
import type { ReviewLimiter } from './limits/review-limiter.ts';

export interface HandlerOptions extends AnswerOptions, Health {
  readonly limiter: ReviewLimiter;
  /** The budget of bytes for bodies, from their first byte to their answer. */
  readonly bodies: FairShare;
  readonly connections: Connections;
  /** The common name that the caller's client certificate must have; absent if no certificate is required. */
  readonly clientName?: string;
}

/** Routes HTTP requests and reads the bodies of review calls. */
export function createHandler(
  options: HandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { limits, limiter, bodies, connections, metrics, clientName, setup } = options;
  const answer = createAnswerer(options);

  return (request, response) => {
    const path = pathOf(request);
    if (answerHealth(request, response, path, options)) return;
    const isValidate = path === '/validate';
    if (path !== '/mutate' && !isValidate && !isInjectorPath(path))
      return sendText(response, 404, `no such path: ${path}`);
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return sendText(response, 405, `${path} takes POST`);
    }
    receive(request, response, path, isValidate ? '/validate' : '/mutate');
  };

  function isInjectorPath(path: string): boolean {
    return setup().pipeline.stages.some(({ injector }) =>
      injector.paths?.some((own) => path === own || path.startsWith(`${own}/`)),
    );
  }

  function receive(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    endpoint: '/mutate' | '/validate',
  ): void {
    const deadline = deadlineOf(request.url ?? '');
    const rejection = rejectionOf(request);
    if (rejection !== undefined) return reject(response, rejection);
    readBody(request, limits.bodyBytes, bodies, (body) => {
      if (body === 'gone') return;
      if (body === 'too large') return reject(response, tooLarge(limits.bodyBytes));
      if (body === 'overloaded') return reject(response, OVERLOADED);
      if (hasTooManyValues(body.bytes)) {
        body.free();
        return reject(response, TOO_MANY_VALUES);
      }
      // Only once the body is complete: slow bodies would use up the limit.
      let isOver = false;
      const leave = limiter.acquire(request.socket.remoteAddress ?? '', () => {
        isOver = true;
        reject(response, OVERLOADED);
      });
      if (leave === undefined) {
        body.free();
        return reject(response, OVERLOADED);
      }
      const { socket } = request;
      connections.answering(socket);
      const release = () => {
        leave();
        body.free();
        connections.answered(socket);
      };
      const own = path === endpoint ? {} : { path };
      answer({ endpoint, ...own, body: body.bytes, deadline, response, isOver: () => isOver, release });
    });
  }

  function rejectionOf(request: IncomingMessage): Rejection | undefined {
    if (!isJson(request.headers['content-type'])) return NOT_JSON;
    return clientName === undefined || isClient(request.socket as TLSSocket, clientName)
      ? undefined
      : UNAUTHORIZED;
  }

  function reject(response: ServerResponse, rejection: Rejection): void {
    metrics.rejected(rejection.reason);
    sendRejection(response, rejection);
  }
}

const NOT_JSON: Rejection = {
  status: 415,
  reason: 'content_type',
  message: 'Content-Type must be application/json',
};
const UNAUTHORIZED: Rejection = {
  status: 403,
  reason: 'unauthorized',
  message: 'a client certificate of the API server is required',
};
const OVERLOADED: Rejection = { status: 429, reason: 'overloaded', message: 'too many reviews at once' };

const TOO_MANY_VALUES: Rejection = {
  status: 413,
  reason: 'too_large',
  message: 'the body has too many values',
};

function tooLarge(limit: number): Rejection {
  return { status: 413, reason: 'too_large', message: `the body is over ${limit} bytes` };
}

function isJson(contentType: string | undefined): boolean {
  return contentType === 'application/json' || /^application\/json\s*(;|$)/i.test(contentType ?? '');
}

function isClient(socket: TLSSocket, name: string): boolean {
  return socket.authorized === true && socket.getPeerCertificate().subject?.CN === name;
}
