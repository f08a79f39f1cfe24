import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { WebhookAnswer } from './read-answer.ts';

export interface HttpsRequest {
  readonly method: 'POST' | 'GET';
  readonly body?: string;
  /** `application/json` unless given. */
  readonly contentType?: string;
}

/** Trusted CAs, and the name expected of the server. */
export interface HttpsTrust {
  /** PEM; by default the runtime's own roots. */
  readonly ca?: string;
  /** The name expected in the certificate, if it is not the URL's host. */
  readonly serverName?: string;
  readonly insecure?: boolean;
}

export interface HttpsAnswer extends WebhookAnswer {
  readonly location?: string;
  readonly retryAfter?: string;
}

/** One request with the headers of the API server, over TLS 1.2 or newer. */
export async function sendOverHttps(
  url: string,
  request: HttpsRequest,
  trust: HttpsTrust,
  signal: AbortSignal,
): Promise<HttpsAnswer> {
  try {
    return await sendOnce(url, request, trust, signal);
  } catch (error) {
    // The server may close a kept connection while a request is on its way.
    if (error instanceof StaleConnection) return sendOnce(url, request, trust, signal);
    throw error;
  }
}

class StaleConnection extends Error {}

function sendOnce(
  url: string,
  { method, body, contentType = 'application/json' }: HttpsRequest,
  { ca, serverName, insecure }: HttpsTrust,
  signal: AbortSignal,
): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
      ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
    };
    const options = {
      method,
      headers,
      signal,
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca }),
      ...(serverName !== undefined && { servername: serverName }),
      ...(insecure && { rejectUnauthorized: false }),
    } as const;
    const call = httpsRequest(url, options, (response) => read(response).then(resolve, reject));
    call.on('error', (error) => {
      const isReset = 'code' in error && error.code === 'ECONNRESET';
      reject(isReset && call.reusedSocket ? new StaleConnection() : error);
    });
    call.end(body);
  });
}

async function read(response: IncomingMessage): Promise<HttpsAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { 'content-type': contentType, location, 'retry-after': retryAfter } = response.headers;
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString('utf8'),
    ...(contentType !== undefined && { contentType }),
    ...(location !== undefined && { location }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}
