import { isDeepStrictEqual } from 'node:util';
import type { ReviewOptions } from '../admission/answer-review.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { Call, Reply } from '../sdk/calls.ts';
import { kindKey, type ObjectRef } from '../sdk/reads.ts';
import { asSent, asStoredPod, deepFreeze, type LawSubject, law, pipelineOf } from './laws.ts';
import { type Served, serveWaiting } from './serve-review.ts';

export interface WaitingSubject extends LawSubject {
  /** The replies of other services and of the authorizer. All calls fail if absent. */
  readonly reply?: (call: Call) => Reply;
}

/**
 * Checks the laws of a server that waits: for objects that its view does not have yet, and for replies. Returns what the server
 * answers in the end.
 */
export async function checkWaitingLaws({ reply = NO_REPLY, ...given }: WaitingSubject): Promise<Served> {
  const subject = asSent(given);
  const { entry, request, object, cluster, files } = subject;
  const options = {
    pipeline: pipelineOf([entry]),
    cluster,
    files,
    call: async (calls: readonly Call[]) => calls.map((call) => deepFreeze(structuredClone(reply(call)))),
    onStage: () => {},
  };
  const serve = (input: KubeObject, more: Partial<ReviewOptions> = {}) =>
    serveWaiting(request, input, { ...options, ...more });

  const served = await serve(object);
  law(
    isDeepStrictEqual(await serve(object), served),
    'it gives the same outcome for the same object and replies',
  );
  if (served.trace.every(({ decision }) => decision === 'unmatched')) return served;
  const late = await serve(object, lateObjects(subject));
  law(
    isDeepStrictEqual(late, served),
    `what it names in "needs" is enough if objects arrive late, but the outcome is ${JSON.stringify(late.trace.at(-1))}`,
  );
  if (!served.response.allowed) return served;
  const result = served.object as unknown as KubeObject;
  for (const input of result.kind === 'Pod' ? [result, asStoredPod(result)] : [result]) {
    const { response, patch, trace } = await serve(input);
    law(
      response.allowed && patch.length === 0,
      `a second run with replies changes nothing, but there is ${JSON.stringify(trace.at(-1))}`,
    );
  }
  return served;
}

const NO_REPLY = (): Reply => ({ failure: 'no reply' });

/**
 * A view that is behind: of the kinds that `needs` names, an object is found by name only if it has been gathered. Lists are
 * complete, since nothing can wait for one, and so are other kinds, which an injector may read without naming them.
 */
function lateObjects({
  entry,
  request,
  object,
  cluster,
}: LawSubject): Pick<ReviewOptions, 'cluster' | 'gather'> {
  const { injector, config } = entry;
  const needs: readonly ObjectRef[] = injector.needs?.(object, { request, config }) ?? [];
  const late = new Set(needs.map(({ ref }) => kindKey(ref)));
  const gathered = new Set<string>();
  return {
    cluster: {
      get(ref, namespace, name) {
        const isHere = !late.has(kindKey(ref)) || gathered.has(keyOf(ref, namespace, name));
        return isHere ? cluster.get(ref, namespace, name) : undefined;
      },
      list: (ref, namespace, selector) => cluster.list(ref, namespace, selector),
    },
    async gather(missing) {
      for (const { ref, namespace, name } of missing) gathered.add(keyOf(ref, namespace, name));
      return [];
    },
  };
}

function keyOf(ref: ResourceRef, namespace: string | undefined, name: string): string {
  return JSON.stringify([kindKey(ref), ref.namespaced && namespace, name]);
}
