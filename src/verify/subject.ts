import type { WebhookAnswer } from '../chain/read-answer.ts';
import { type Webhook, webhooksOf } from '../chain/webhook.ts';
import type { JsonObject } from '../json/json.ts';

/** A webhook under test, and how to reach its server. */
export interface Subject {
  /** `configuration/webhook`. */
  readonly id: string;
  readonly webhook: Webhook;
  readonly server: WebhookServer;
}

export interface WebhookServer {
  /** For display: the URL, or the Service. */
  readonly address: string;
  /** Calls it as the API server does. Rejects with the reason if there is no answer. */
  call(review: JsonObject, timeoutMs: number): Promise<WebhookAnswer>;
  /** Sends any text, once. */
  send(body: string, contentType: string, timeoutMs: number): Promise<WebhookAnswer>;
}

/** All webhooks of the configurations, mutating ones first, each in the order of its calls. */
export function subjectsOf(
  configurations: readonly JsonObject[],
  serverOf: (webhook: Webhook) => WebhookServer,
): readonly Subject[] {
  return (['mutating', 'validating'] as const)
    .flatMap((type) => webhooksOf(configurations, type))
    .map((webhook) => ({
      id: `${webhook.configuration}/${webhook.name}`,
      webhook,
      server: serverOf(webhook),
    }));
}
