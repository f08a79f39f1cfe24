import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { JsonObject } from '../json/json.ts';
import { type CalledWebhook, WebhookClientError } from './call-webhook.ts';
import { connectionErrorText } from './connection-error-text.ts';
import type { WebhookAnswer } from './read-answer.ts';

const MOST_REDIRECTS = 10;
const MOST_RETRIES = 10;

/**
 * Calls a webhook as the API server does: over TLS 1.2 or newer, trusting its caBundle, following redirects, and retrying answers
 * that carry `Retry-After`.
 */
export async function callOverHttps(
  webhook: CalledWebhook,
  review: JsonObject,
  timeoutMs: number,
): Promise<WebhookAnswer> {
  const ca = caOf(webhook);
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const body = `${JSON.stringify(review)}\n`;
  try {
    for (let retry = 0; ; retry++) {
      const answer = await follow(webhook.url, { method: 'POST', body }, ca, signal);
      const delay = retryDelay(answer);
      if (delay === undefined || retry === MOST_RETRIES) return answer;
      await sleep(delay * 1000, undefined, { signal });
    }
  } catch (error) {
    throw new Error(signal.aborted ? 'context deadline exceeded' : connectionErrorText(error), {
      cause: error,
    });
  }
}

/** Undefined for the system's own authorities. */
function caOf({ clientConfig }: CalledWebhook): string | undefined {
  const { caBundle } = clientConfig;
  if (typeof caBundle !== 'string' || caBundle === '') return undefined;
  const ca = Buffer.from(caBundle, 'base64').toString('utf8');
  try {
    if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate');
    createSecureContext({ ca });
  } catch (error) {
    const message = 'unable to load root certificates: unable to parse bytes as PEM block';
    throw new WebhookClientError(message, { cause: error });
  }
  return ca;
}

interface Answer extends WebhookAnswer {
  readonly location?: string;
  readonly retryAfter?: string;
}

interface Sent {
  readonly method: 'POST' | 'GET';
  readonly body?: string;
}

async function follow(url: string, sent: Sent, ca: string | undefined, signal: AbortSignal): Promise<Answer> {
  let target = url;
  let next = sent;
  for (let redirects = 0; ; redirects++) {
    const answer = await send(target, next, ca, signal);
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
    if (!isRedirect || answer.location === undefined) return answer;
    if (redirects === MOST_REDIRECTS) throw new Error('stopped after 10 redirects');
    target = new URL(answer.location, target).href;
    // Only the newer codes repeat the method and the body.
    if (answer.status < 307) next = { method: 'GET' };
  }
}

async function send(
  url: string,
  { method, body }: Sent,
  ca: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    return await sendOnce();
  } catch (error) {
    // The server may close a kept connection while a request is on its way.
    if (error instanceof StaleConnection) return sendOnce();
    throw error;
  }

  function sendOnce(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        accept: 'application/json, */*',
        'user-agent': 'kube-apiserver-admission',
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      };
      const options = {
        method,
        headers,
        signal,
        minVersion: 'TLSv1.2',
        ...(ca !== undefined && { ca }),
      } as const;
      const call = httpsRequest(url, options, (response) => read(response).then(resolve, reject));
      call.on('error', (error) => {
        const isReset = 'code' in error && error.code === 'ECONNRESET';
        reject(isReset && call.reusedSocket ? new StaleConnection() : error);
      });
      call.end(body);
    });
  }
}

class StaleConnection extends Error {}

async function read(response: IncomingMessage): Promise<Answer> {
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

/** Seconds to wait before the same call; undefined if the answer counts. */
function retryDelay({ status, retryAfter }: Answer): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
