import { admit, type CallWebhook } from 'podgraft/chain';
import { expect, test } from 'vitest';

/** Your webhook. Another one, by URL, is called with `callOverHttps`. */
const call: CallWebhook = async (_webhook, review) => {
  const { uid } = review.request as { uid: string };
  const patch = [{ op: 'add', path: '/metadata/labels', value: { team: 'a' } }];
  const response = {
    uid,
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
  return { status: 200, body };
};

const configuration = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'team' },
  webhooks: [
    {
      name: 'team.example.com',
      clientConfig: { url: 'https://localhost/team' },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      namespaceSelector: { matchLabels: { team: 'a' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } };
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'app', image: 'nginx:1.27' }] },
};

test('Pods of the team get its label', async () => {
  const outcome = await admit(
    { object: pod, namespace: 'shop' },
    { configurations: [configuration], objects: [namespace], call },
  );
  expect(outcome.allowed).toBe(true);
  expect(outcome.object).toMatchObject({ metadata: { labels: { team: 'a' } } });
});

test('Pods elsewhere are left alone', async () => {
  const outcome = await admit(
    { object: pod, namespace: 'default' },
    { configurations: [configuration], objects: [namespace], call },
  );
  const [step] = outcome.trace.filter(({ type }) => type === 'webhook');
  expect(step?.result).toMatchObject({ outcome: 'skipped', because: 'namespaceSelector' });
});
