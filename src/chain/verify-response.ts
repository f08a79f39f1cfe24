import type { ReadAnswer, ReviewResponse } from './read-answer.ts';
import type { Webhook } from './webhook.ts';

/** A valid response, or the reason why the call counts as failed. The checks are in the API server's order. */
export function verifyResponse(
  answer: Exclude<ReadAnswer, { readonly error: string }>,
  webhook: Webhook,
  uid: string,
): { readonly response: ReviewResponse } | { readonly error: string } {
  const { response } = answer;
  if (response === undefined) return { error: 'webhook response was absent' };
  // v1beta1 checks none of the rest, and knows one type of patch.
  if (webhook.reviewVersion === 'v1beta1') {
    return webhook.type === 'mutating' ? { response: { ...response, patchType: 'JSONPatch' } } : { response };
  }
  const found = response.uid ?? '';
  if (found !== uid) return { error: `expected response.uid=${quoted(uid)}, got ${quoted(found)}` };
  const type = typeText(answer.apiVersion, answer.kind);
  if (type !== EXPECTED) return { error: `expected webhook response of ${EXPECTED}, got ${type}` };
  const error = webhook.type === 'mutating' ? patchError(response) : validatingError(response);
  return error === undefined ? { response } : { error };
}

const EXPECTED = 'admission.k8s.io/v1, Kind=AdmissionReview';

/** As Go prints a GroupVersionKind. */
function typeText(apiVersion: string, kind: string): string {
  return `${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`;
}

function patchError({ patch = '', patchType }: ReviewResponse): string | undefined {
  const hasPatch = patch !== '';
  if (hasPatch && patchType === undefined)
    return 'webhook returned response.patch but not response.patchType';
  if (!hasPatch && patchType !== undefined)
    return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? `webhook returned invalid response.patchType of ""` : undefined;
}

function validatingError({ patch = '', patchType }: ReviewResponse): string | undefined {
  if (patch !== '') return 'validating webhook may not return response.patch';
  return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
