import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { JsonObject } from '../json/json.ts';
import { type CalledWebhook, WebhookClientError } from './call-webhook.ts';
import { connectionErrorText } from './connection-error-text.ts';
import type { WebhookAnswer } from './read-answer.ts';
import { type HttpsAnswer, type HttpsRequest, type HttpsTrust, sendOverHttps } from './send-over-https.ts';

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
  trust: Omit<HttpsTrust, 'ca'> = {},
): Promise<WebhookAnswer> {
  const ca = caOf(webhook);
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const body = `${JSON.stringify(review)}\n`;
  try {
    for (let retry = 0; ; retry++) {
      const answer = await follow(
        webhook.url,
        { method: 'POST', body },
        { ...trust, ...(ca !== undefined && { ca }) },
        signal,
      );
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

/** Undefined to use the system's authorities. */
export function caOf({ clientConfig }: CalledWebhook): string | undefined {
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

async function follow(
  url: string,
  sent: HttpsRequest,
  trust: HttpsTrust,
  signal: AbortSignal,
): Promise<HttpsAnswer> {
  let target = url;
  let next = sent;
  for (let redirects = 0; ; redirects++) {
    const answer = await sendOverHttps(target, next, trust, signal);
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
    if (!isRedirect || answer.location === undefined) return answer;
    if (redirects === MOST_REDIRECTS) throw new Error('stopped after 10 redirects');
    target = new URL(answer.location, target).href;
    // Only the newer redirect codes repeat the method and the body.
    if (answer.status < 307) next = { method: 'GET' };
  }
}

/** Seconds before a retry; undefined if the answer is final. */
function retryDelay({ status, retryAfter }: HttpsAnswer): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
