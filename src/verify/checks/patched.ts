import type { Changed, Outcome, WebhookStep } from '../../chain/outcome.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';

/** One patch of a webhook, and the object before and after it. */
export interface PatchedStep {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly operations: readonly JsonObject[];
}

/** The patches of the first round: nothing of the object is the webhook's own then. */
export function patchedSteps({ trace }: Outcome): readonly PatchedStep[] {
  return trace.flatMap((step) =>
    step.type === 'webhook' && step.round === 0 && isChanged(step)
      ? [
          {
            before: step.result.before,
            after: step.result.after,
            operations: (step.call?.patch ?? []).filter(isJsonObject),
          },
        ]
      : [],
  );
}

function isChanged(step: WebhookStep): step is WebhookStep & { readonly result: Changed } {
  return step.result.outcome === 'changed';
}
