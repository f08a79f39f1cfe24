import { cacheByObject } from '../cache.ts';
import type { FindingsOf } from '../page/chain-stops.ts';
import type { RunAnswer, RunRequest } from '../page/view.ts';
import type { RunOptions } from './run-object.ts';
import { runText } from './run-text.ts';
import { webhookFindings } from './webhook-findings.ts';
import type { Snapshot } from './workspace.ts';

export type Run = (request: RunRequest, snapshot: Snapshot) => Promise<RunAnswer>;

/** Runs texts, with the findings of `lint` and `verify` in the webhooks that they pass. `call` makes the calls that injectors wait for. */
export function createRunner(call: RunOptions['call']): Run {
  const findingsIn = cacheByObject(({ own, others, objects, verified }: Snapshot): FindingsOf => {
    const linted = webhookFindings([...own, ...others], objects, new Date());
    return (...webhook) => [...linted(...webhook), ...verified(...webhook)];
  });
  return (request, snapshot) => runText(request, { snapshot, call, findingsOf: findingsIn(snapshot) });
}
