import type { WebhookAnswer } from '../chain/read-answer.ts';
import type { JsonObject } from '../json/json.ts';
import { metadataOf } from '../policy/cluster-objects.ts';

/** A webhook of this process that comes after all others and changes every object, so that the others are called again. */
export const DISTURBER: JsonObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: '9999-disturber' },
  webhooks: [
    {
      name: 'disturber.verify.podgraft.dev',
      clientConfig: { url: 'https://disturber.verify.podgraft.dev/' },
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }],
      admissionReviewVersions: ['v1'],
    },
  ],
};

/** The annotation by which another webhook changes the object. */
export const DISTURBED = 'verify.podgraft.dev/disturbed';

export async function disturbance(review: JsonObject): Promise<WebhookAnswer> {
  const { uid, object } = review.request as { uid: string; object: JsonObject };
  const annotations = { ...(metadataOf(object).annotations as JsonObject | undefined), [DISTURBED]: 'yes' };
  const patch = JSON.stringify([{ op: 'add', path: '/metadata/annotations', value: annotations }]);
  const response = {
    uid,
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(patch).toString('base64'),
  };
  return {
    status: 200,
    body: JSON.stringify({ apiVersion: review.apiVersion, kind: review.kind, response }),
  };
}
