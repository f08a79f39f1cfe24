import type { Attributes } from '../policy/attributes.ts';
import type { Status } from '../policy/status.ts';
import type { ChainContext } from './context.ts';
import { runValidatingPlugins } from './run-plugins.ts';
import { runValidatingPolicies } from './run-policies.ts';
import { runValidatingWebhooks } from './run-validating-webhooks.ts';
import { webhooksOf } from './webhook.ts';

/** The API server's own plugins, then validating policies, then validating webhooks, all of which see the same object. */
export async function validatingPhase(
  request: Attributes,
  context: ChainContext,
): Promise<Status | undefined> {
  return (
    runValidatingPlugins(request, context) ??
    runValidatingPolicies(request, context) ??
    (await runValidatingWebhooks(webhooksOf(context.configurations, 'validating'), request, context))
  );
}
