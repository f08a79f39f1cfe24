import type { Answer } from '../../admission/answer-review.ts';
import { parseReview } from '../../admission/parse-review.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { activeInjectors, type RecordedDecision, traceText } from '../../page/decision.ts';
import { type StageInfo, stageInfo } from '../../page/own-run.ts';
import type { RequestItem } from '../../page/view.ts';
import type { Request } from '../../sdk/request.ts';
import type { Rejection } from '../http-replies.ts';

/** Called with every decision, after it has been sent. */
export type RecordDecision = (
  endpoint: '/mutate' | '/validate',
  body: Buffer,
  reply: Answer | Rejection,
  milliseconds: number,
) => void;

/** Records decisions for the page. Calls without a valid review or a decision are not recorded. */
export function createRecorder(
  keep: (decision: RecordedDecision) => void,
  stages: () => readonly StageInfo[],
): RecordDecision {
  let known: readonly StageInfo[] = [];
  let infos: readonly StageInfo[] = [];
  return (endpoint, body, reply, milliseconds) => {
    if (!('body' in reply) && reply.reason !== 'injector_failed') return;
    const parsed = parseReview(body);
    if ('problem' in parsed) return;
    const { request, object = request.oldObject } = parsed;
    const trace = 'body' in reply ? reply.trace : [];
    const failure =
      'body' in reply
        ? undefined
        : { message: reply.message, ...(reply.injector !== undefined && { injector: reply.injector }) };
    const verdict = verdictOf(reply);
    if (known !== stages()) {
      known = stages();
      infos = known.map(stageInfo);
    }
    const injectors = failure?.injector === undefined ? activeInjectors(trace) : [failure.injector];
    keep({
      item: { ...summaryOf(request, object, milliseconds), verdict, injectors },
      endpoint,
      review: body.toString('utf8'),
      ...('body' in reply && { answer: reply.body }),
      trace: traceText(trace),
      stages: infos,
      ...(failure && { failure }),
    });
  };
}

function verdictOf(reply: Answer | Rejection): RequestItem['verdict'] {
  if (!('body' in reply)) return 'failed';
  if (!reply.allowed) return 'denied';
  return reply.operations > 0 ? 'changed' : 'unchanged';
}

function summaryOf(
  { uid, operation, kind, namespace, name, userInfo, dryRun }: Request,
  object: KubeObject | undefined,
  milliseconds: number,
): Omit<RequestItem, 'verdict' | 'injectors'> {
  const prefix = object?.metadata?.generateName ?? '';
  return {
    uid,
    time: new Date().toISOString(),
    operation,
    kind: kind.kind,
    namespace,
    name: name || object?.metadata?.name || `${prefix}*`,
    user: userInfo.username,
    dryRun,
    milliseconds,
  };
}
