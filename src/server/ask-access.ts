import type { KubeClient } from '../cluster/client/client.ts';
import { isJsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf, builtin } from '../kube/resource.ts';
import type { AccessCall, Reply } from '../sdk/calls.ts';

/** Asks the API server whether a user may do something. Never rejects. */
export async function askAccess(
  { access }: AccessCall,
  client: Pick<KubeClient, 'create'> | undefined,
  timeoutMs: number,
): Promise<Reply> {
  if (client === undefined) return { failure: 'there is no cluster to ask' };
  const ref = builtin('SubjectAccessReview');
  const review = { apiVersion: apiVersionOf(ref), kind: ref.kind, metadata: {}, spec: access };
  try {
    const answer = await client.create(ref, review as KubeObject, { timeoutMs: Math.round(timeoutMs) });
    const { status } = asJson(answer);
    return isJsonObject(status) ? { body: status } : { failure: 'the answer has no status' };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
