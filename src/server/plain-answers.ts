import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeDenial } from '../admission/encode-response.ts';
import { ObjectUnreadable } from '../admission/parse-review.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Log } from './log.ts';
import type { Metrics, RejectReason } from './metrics.ts';

export interface Health {
  /** Why the server is not ready; empty when it is. */
  readonly notReady: () => readonly string[];
  /** What is wrong without keeping us from answering; shown with readiness. */
  readonly problems?: () => readonly string[];
}

/** Also served in plain HTTP beside the metrics, for probes that cannot do TLS. */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  path: '/healthz' | '/readyz',
  { notReady, problems }: Health,
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

export function sendJson(response: ServerResponse, body: string): void {
  const length = Buffer.byteLength(body);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
  // The same bytes; but what is said to be Latin-1 is copied as it is, and not counted and encoded anew.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}

/** Answers a request for a review with something else than a verdict, and counts it. */
export function reject(
  response: ServerResponse,
  metrics: Metrics,
  status: number,
  reason: RejectReason,
  message: string,
): void {
  metrics.rejected(reason);
  if (response.headersSent || response.destroyed) return;
  // What is left of the body is not read: the connection cannot be used again.
  if (status !== 500) response.setHeader('Connection', 'close');
  send(response, status, message);
}

/** The edge: whatever was thrown on the way becomes a status and one line; `identity` is that of the review, if it has one. */
export function fail(
  error: unknown,
  response: ServerResponse,
  metrics: Metrics,
  log: Log,
  identity: object,
): void {
  const known = error instanceof PodgraftError;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ObjectUnreadable) {
    metrics.rejected('bad_review');
    return sendJson(response, encodeDenial(error.asked, message, []));
  }
  if (known && error.code === 'REVIEW_INVALID') return reject(response, metrics, 400, 'bad_review', message);
  log.error({ ...identity, code: known ? error.code : 'INTERNAL', error: message }, 'review failed');
  reject(response, metrics, 500, 'injector_failed', message);
}
