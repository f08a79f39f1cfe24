import type { Outcome } from '../../chain/outcome.ts';
import type { ChainRequest } from '../../chain/request.ts';
import type { JsonObject } from '../../json/json.ts';
import { metadataOf } from '../../policy/cluster-objects.ts';
import type { AdmitOptions, Session } from '../session.ts';
import type { Subject } from '../subject.ts';

/** The object that these webhooks produce in one request; undefined if the request is rejected. */
export async function pass(
  subjects: readonly Subject[],
  object: JsonObject,
  session: Session,
  options?: AdmitOptions,
): Promise<JsonObject | undefined> {
  const outcome = await session.admit(subjects, session.requestFor(subjects, object), options);
  return outcome.allowed && outcome.object !== null ? outcome.object : undefined;
}

/** A request that sends a result again. A name that was generated is generated again. */
export function sendAgain(request: ChainRequest, result: JsonObject): ChainRequest {
  const { name, ...metadata } = metadataOf(result);
  const isGenerated = metadataOf(request.object ?? {}).name === undefined;
  const object = {
    ...result,
    metadata: { ...(name !== undefined && !isGenerated && { name }), ...metadata },
  };
  return { ...request, object, ...(request.oldObject && { oldObject: object }) };
}

export function wasCalled({ trace }: Outcome): boolean {
  return trace.some((step) => step.type === 'webhook' && step.call !== undefined);
}

/** For a message: the first few places. */
export function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more` : shown;
}
