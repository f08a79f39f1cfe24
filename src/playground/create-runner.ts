import type { FindingsOf } from '../page/chain-stops.ts';
import type { RunAnswer, RunRequest } from '../page/view.ts';
import type { RunOptions } from './run-object.ts';
import { runText } from './run-text.ts';
import { webhookFindings } from './webhook-findings.ts';
import type { Snapshot } from './workspace.ts';

export type Run = (request: RunRequest, snapshot: Snapshot) => Promise<RunAnswer>;

/** Runs texts, with what `lint` finds in the webhooks that they meet. `call` makes the calls that injectors wait for. */
export function createRunner(call: RunOptions['call']): Run {
  const known = new WeakMap<Snapshot, FindingsOf>();
  const findingsIn = (snapshot: Snapshot): FindingsOf => {
    const found =
      known.get(snapshot) ??
      webhookFindings([...snapshot.own, ...snapshot.others], snapshot.objects, new Date());
    known.set(snapshot, found);
    return found;
  };
  return (request, snapshot) => runText(request, { snapshot, call, findingsOf: findingsIn(snapshot) });
}
