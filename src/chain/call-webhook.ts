import type { JsonObject } from '../json/json.ts';
import type { WebhookCall } from './outcome.ts';
import { type ReviewResponse, readAnswer, type WebhookAnswer } from './read-answer.ts';
import { verifyResponse } from './verify-response.ts';
import { type Webhook, webhookUrl } from './webhook.ts';

/**
 * Sends a review to a webhook. Rejects with the reason if there is no answer: its message replaces a Go program's
 * connection error, such as `dial tcp 10.0.0.1:443: connect: connection refused`.
 */
export type CallWebhook = (
  webhook: CalledWebhook,
  review: JsonObject,
  timeoutMs: number,
) => Promise<WebhookAnswer>;

export interface CalledWebhook {
  readonly configuration: string;
  readonly name: string;
  /** As configured: `url` or `service`, and `caBundle`. */
  readonly clientConfig: JsonObject;
  /** With `?timeout=`. */
  readonly url: string;
}

export type CallResult = { readonly call: WebhookCall } & (
  | { readonly response: ReviewResponse }
  /** After `failed calling webhook "…": `. */
  | { readonly error: string }
);

/** `deadline` is when the request itself times out, by the clock of `performance.now()`. */
export async function callWebhook(
  webhook: Webhook,
  review: JsonObject,
  uid: string,
  call: CallWebhook,
  deadline: number,
): Promise<CallResult> {
  const timeoutMs = Math.min(webhook.timeoutSeconds * 1000, deadline - performance.now());
  const timeoutSeconds = Math.ceil(timeoutMs / 1000);
  const url = `${webhookUrl(webhook)}?timeout=${timeoutSeconds}s`;
  const sent = { url, timeoutSeconds, review };
  const { configuration, name, clientConfig } = webhook;
  let answer: WebhookAnswer;
  try {
    answer = await withTimeout(
      call({ configuration, name, clientConfig, url }, review, timeoutMs),
      timeoutMs,
    );
  } catch (error) {
    return { call: sent, error: connectionError(error, url) };
  }
  const answered = { ...sent, answer: { status: answer.status, body: answer.body } };
  const read = readAnswer(answer, webhook.reviewVersion);
  if ('error' in read) return { call: answered, error: `failed to call webhook: ${read.error}` };
  const verified = verifyResponse(read, webhook, uid);
  return 'error' in verified
    ? { call: answered, error: `received invalid webhook response: ${verified.error}` }
    : { call: answered, response: verified.response };
}

/** The client could not be created, for example because of its caBundle. */
export class WebhookClientError extends Error {}

function connectionError(error: unknown, url: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof WebhookClientError) return `could not get REST client: ${message}`;
  return `failed to call webhook: Post ${JSON.stringify(url)}: ${message}`;
}

function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error('context deadline exceeded'));
    const timer = setTimeout(late, Math.max(0, milliseconds));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
