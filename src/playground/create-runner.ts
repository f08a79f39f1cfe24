import type { FindingsOf } from '../page/chain-stops.ts';
import type { RunAnswer, RunRequest } from '../page/view.ts';
import type { RunOptions } from './run-object.ts';
import { runText } from './run-text.ts';
import { webhookFindings } from './webhook-findings.ts';
import type { Snapshot } from './workspace.ts';

export type Run = (request: RunRequest, snapshot: Snapshot) => Promise<RunAnswer>;

/** Runs texts, with the findings of `lint` and `verify` in the webhooks that they pass. `call` makes the calls that injectors wait for. */
export function createRunner(call: RunOptions['call']): Run {
  const known = new WeakMap<Snapshot, FindingsOf>();
  const findingsIn = (snapshot: Snapshot): FindingsOf => {
    const { own, others, objects, verified } = snapshot;
    const linted = known.get(snapshot) ?? webhookFindings([...own, ...others], objects, new Date());
    known.set(snapshot, linted);
    return (...webhook) => [...linted(...webhook), ...verified(...webhook)];
  };
  return (request, snapshot) => runText(request, { snapshot, call, findingsOf: findingsIn(snapshot) });
}
