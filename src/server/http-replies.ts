import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RejectReason } from './metrics/metrics.ts';

/** A reply to a review call that is not an AdmissionReview. */
export interface Rejection {
  readonly status: 400 | 403 | 413 | 415 | 429 | 500;
  readonly reason: RejectReason;
  readonly message: string;
  /** The injector that failed. */
  readonly injector?: string;
}

/** A reply in text, without the final line break. */
export interface TextReply {
  readonly status: number;
  readonly text: string;
  /** Plain text if absent. */
  readonly contentType?: string;
}

export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '';
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': contentType });
  response.end(`${text}\n`);
}

/**
 * Until an answer of this size or more has been sent, Node reads nothing from its connection. Over TLS, that fails: what has been
 * decrypted already reaches the paused parser, and the next request on the connection is answered with 400.
 */
export const BUFFERED_BYTES = 64 * 1024;
const MOST_HEADERS = 1024;

/** Whether Node stops reading from a connection until an answer of this size has been sent. */
export function fillsConnection(bytes: number): boolean {
  return bytes + MOST_HEADERS >= BUFFERED_BYTES;
}

export function sendJson(response: ServerResponse, body: string): void {
  const length = Buffer.byteLength(body);
  // So that no request can follow.
  if (fillsConnection(length)) response.setHeader('Connection', 'close');
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
  // Latin-1 is copied as it is; the bytes are the same if the text is ASCII.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}

export function sendRejection(response: ServerResponse, { status, message }: Rejection): void {
  if (response.headersSent || response.destroyed) return;
  // The rest of the body is not read, so the connection cannot be used again.
  if (status !== 500) response.setHeader('Connection', 'close');
  if (status === 429) response.setHeader('Retry-After', '1');
  sendText(response, status, message);
}
