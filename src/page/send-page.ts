import type { ServerResponse } from 'node:http';
import { type PageReply, pageHeaders } from './page-reply.ts';

export function sendPage(response: ServerResponse, { status, contentType, body, headers }: PageReply): void {
  if (response.destroyed) return;
  // An event stream that has begun cannot get another answer.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    ...pageHeaders(),
    ...headers,
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
