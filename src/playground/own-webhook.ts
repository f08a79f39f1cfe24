import { answerReview, type FinalCheck, type ReviewOptions } from '../admission/answer-review.ts';
import type { CallWebhook } from '../chain/call-webhook.ts';
import type { JsonObject } from '../json/json.ts';
import { isJsonObject } from '../json/json.ts';
import type { OwnRun } from '../page/own-run.ts';
import { InjectorFailed } from '../pipeline/pipeline-errors.ts';

export interface OwnWebhook {
  readonly call: CallWebhook;
  /** The runs of the injectors, by review. */
  readonly runs: ReadonlyMap<JsonObject, OwnRun>;
}

export interface OwnWebhookOptions extends Omit<ReviewOptions, 'finalCheck' | 'path'> {
  readonly finalCheck: FinalCheck;
}

/** Podgraft's webhook without a network: the same answers, and the trace behind them. */
export function createOwnWebhook({ finalCheck, ...options }: OwnWebhookOptions): OwnWebhook {
  const runs = new Map<JsonObject, OwnRun>();
  const call: CallWebhook = async ({ url }, review) => {
    const path = new URL(url).pathname;
    const seen = objectOf(review);
    try {
      const answer = await answerReview(Buffer.from(JSON.stringify(review)), {
        ...options,
        ...(path === '/validate' && { finalCheck }),
        ...(path !== '/validate' && path !== '/mutate' && { path }),
      });
      runs.set(review, { seen, trace: answer.trace });
      return { status: 200, body: answer.body };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const injector = error instanceof InjectorFailed ? error.injector : undefined;
      runs.set(review, { seen, trace: [], failure: { message, ...(injector && { injector }) } });
      return { status: 500, body: `${message}\n`, contentType: 'text/plain; charset=utf-8' };
    }
  };
  return { call, runs };
}

function objectOf(review: JsonObject): JsonObject {
  const request = isJsonObject(review.request) ? review.request : {};
  return isJsonObject(request.object) ? request.object : {};
}
