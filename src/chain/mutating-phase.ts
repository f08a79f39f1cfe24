import type { Attributes } from '../policy/attributes.ts';
import { type ChainContext, type Mutated, withObject } from './context.ts';
import { takesFields } from './managed-fields.ts';
import { newMutatingState } from './mutating-state.ts';
import { runMutatingWebhooks } from './run-mutating-webhooks.ts';
import { runMutatingPlugins } from './run-plugins.ts';
import { runMutatingPolicies } from './run-policies.ts';
import { webhooksOf } from './webhook.ts';

/** The API server's own plugins, then mutating policies, then mutating webhooks; all of them a second time if one requires it. */
export async function mutatingPhase(request: Attributes, context: ChainContext): Promise<Mutated> {
  const webhooks = webhooksOf(context.configurations, 'mutating');
  const isFresh = request.operation === 'CREATE' || takesFields(request);
  const state = newMutatingState(isFresh);
  let current = request;
  for (;;) {
    const plugged = runMutatingPlugins(current, state.round, context);
    if ('status' in plugged) return plugged;
    const policed = runMutatingPolicies(withObject(current, plugged.object), state, context);
    if ('status' in policed) return policed;
    const called = await runMutatingWebhooks(webhooks, withObject(current, policed.object), state, context);
    if ('status' in called) return called;
    if (state.round === 1 || !state.needsRound) return called;
    current = withObject(current, called.object);
    state.round = 1;
  }
}
