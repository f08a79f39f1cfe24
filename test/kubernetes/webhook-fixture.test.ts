import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accepted } from './client.ts';
import { createNamespace } from './namespace.ts';
import { nginxPod, type Pod } from './pods.ts';
import { type Registered, registerMutating, registerValidating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import { type ReviewAnswer, startWebhook, type WebhookFixture } from './webhook-fixture.ts';

describe('the webhook fixture', () => {
  const plane = sharedControlPlane();
  const namespace = 'webhook-fixture';
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const create = (name: string) => plane.request<Pod & { message: string }>('POST', pods, nginxPod(name));

  let answer: () => ReviewAnswer;
  let webhook: WebhookFixture;
  let registered: Registered | undefined;

  beforeAll(async () => {
    await createNamespace(plane, namespace);
    webhook = await startWebhook(() => answer());
  });
  beforeEach(() => {
    webhook.calls.length = 0;
  });
  afterEach(async () => {
    await registered?.remove();
    registered = undefined;
  });
  afterAll(() => webhook.stop());

  const register = async (registration: Partial<Parameters<typeof registerMutating>[1]> = {}) => {
    const { url, caBundle } = webhook;
    registered = await registerMutating(plane, { name: 'fixture', url, caBundle, ...registration });
  };

  it('is called once it is registered, and its patch is stored', async () => {
    answer = () => ({ patch: [{ op: 'add', path: '/metadata/annotations', value: { by: 'fixture' } }] });
    await register();
    expect(webhook.calls).toEqual([]);
    const pod = accepted(await create('mutated'));
    expect(pod.metadata.annotations).toEqual({ by: 'fixture' });
    expect(webhook.calls).toMatchObject([{ operation: 'CREATE', name: 'mutated', namespace, dryRun: false }]);
  });

  it('is not called after it is removed', async () => {
    answer = () => ({ allowed: false });
    await register();
    await registered?.remove();
    registered = undefined;
    accepted(await create('untouched'));
    expect(webhook.calls).toEqual([]);
  });

  it('can deny as a validating webhook', async () => {
    answer = () => ({ allowed: false, status: { code: 403, message: 'not today' } });
    const { url, caBundle } = webhook;
    registered = await registerValidating(plane, { name: 'fixture', url, caBundle });
    const { status, body } = await create('denied');
    expect(status).toBe(403);
    expect(body.message).toBe('admission webhook "fixture.podgraft.test" denied the request: not today');
  });

  it.each([
    { failurePolicy: 'Fail', status: 500 },
    { failurePolicy: 'Ignore', status: 201 },
  ] as const)(
    'returns $status with failurePolicy $failurePolicy if it throws',
    async ({ failurePolicy, status }) => {
      answer = () => {
        throw new Error('out of order');
      };
      await register({ failurePolicy });
      expect(await create(`policy-${failurePolicy.toLowerCase()}`)).toMatchObject({ status });
      expect(webhook.calls).toHaveLength(1);
    },
  );

  it('is called only for objects that its rules and selectors match', async () => {
    answer = () => ({ allowed: false });
    await register({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } } });
    accepted(await create('not-selected'));
    expect(webhook.calls).toEqual([]);
  });
});
