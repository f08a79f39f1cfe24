import { expect, test } from 'vitest';
import type { ReviewResponse } from './read-answer.ts';
import { verifyResponse } from './verify-response.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

const UID = '11111111-2222-3333-4444-555555555555';
const V1 = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

function webhook(type: Webhook['type'], versions = ['v1']): Webhook {
  const kind = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
  const webhooks = [{ name: 'a.example.com', admissionReviewVersions: versions }];
  const [found] = webhooksOf([{ kind, metadata: { name: 'c' }, webhooks }], type);
  return found as Webhook;
}

const error = (response: ReviewResponse | undefined, type: Webhook['type'] = 'mutating', review = V1) => {
  const verified = verifyResponse({ ...review, response }, webhook(type), UID);
  return 'error' in verified ? verified.error : undefined;
};

test('accepts an answer with and without a patch', () => {
  expect(error({ uid: UID, allowed: true })).toBeUndefined();
  expect(error({ uid: UID, allowed: true, patch: 'W10=', patchType: 'JSONPatch' })).toBeUndefined();
});

test.each([
  ['webhook response was absent', undefined],
  [`expected response.uid="${UID}", got ""`, { allowed: true }],
  [`expected response.uid="${UID}", got "x"`, { uid: 'x', allowed: true }],
  ['webhook returned response.patch but not response.patchType', { uid: UID, allowed: true, patch: 'W10=' }],
  [
    'webhook returned response.patchType but not response.patch',
    { uid: UID, allowed: true, patchType: 'JSONPatch' },
  ],
  [
    'webhook returned invalid response.patchType of ""',
    { uid: UID, allowed: true, patch: 'W10=', patchType: '' },
  ],
])('rejects with: %s', (text, response) => {
  expect(error(response)).toBe(text);
});

test('checks the uid before the type of the review', () => {
  const other = { apiVersion: '', kind: '' };
  expect(error({ uid: 'x', allowed: true }, 'mutating', other)).toContain('response.uid');
  expect(error({ uid: UID, allowed: true }, 'mutating', other)).toBe(
    'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
  );
});

test('a validating webhook may return neither patch nor patchType', () => {
  expect(error({ uid: UID, allowed: true, patch: 'W10=', patchType: 'JSONPatch' }, 'validating')).toBe(
    'validating webhook may not return response.patch',
  );
  expect(error({ uid: UID, allowed: true, patchType: 'JSONPatch' }, 'validating')).toBe(
    'validating webhook may not return response.patchType',
  );
});

test('v1beta1 checks nothing but the presence of a response', () => {
  const old = webhook('mutating', ['v1beta1']);
  const verified = verifyResponse(
    { apiVersion: '', kind: '', response: { allowed: true, patch: 'W10=' } },
    old,
    UID,
  );
  expect(verified).toEqual({ response: { allowed: true, patch: 'W10=', patchType: 'JSONPatch' } });
  expect(verifyResponse({ apiVersion: '', kind: '', response: undefined }, old, UID)).toEqual({
    error: 'webhook response was absent',
  });
});
