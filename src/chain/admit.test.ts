import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import { admit } from './admit.ts';
import type { CallWebhook } from './call-webhook.ts';
import type { Outcome } from './outcome.ts';

const pod: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default', labels: { app: 'web' } },
  spec: { containers: [{ name: 'app', image: 'nginx' }] },
};

type Answer = (object: JsonObject, call: number) => { readonly [field: string]: unknown };

/** Webhooks by name, in the order of their names; each answers depending on the object that it receives. */
function admitWith(answers: { readonly [name: string]: Answer }, settings: JsonObject = {}) {
  const calls: string[] = [];
  const call: CallWebhook = async ({ name }, review) => {
    const short = name.split('.')[0] as string;
    const { uid, object } = review.request as { uid: string; object: JsonObject };
    calls.push(short);
    const count = calls.filter((each) => each === short).length;
    const { patch, ...rest } = (answers[short] as Answer)(object, count);
    const encoded = patch === undefined ? {} : { patch: encode(patch), patchType: 'JSONPatch' };
    const response = { uid, allowed: true, ...encoded, ...rest };
    return {
      status: 200,
      body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }),
    };
  };
  const configurations = Object.keys(answers).map((name) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: `https://localhost/${name}` },
        rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...((settings[name] as JsonObject | undefined) ?? {}),
      },
    ],
  }));
  return admit({ object: pod }, { configurations, call }).then((outcome) => ({ outcome, calls }));
}

function encode(patch: unknown): string {
  return Buffer.from(JSON.stringify(patch)).toString('base64');
}

const label = (key: string, value = 'yes') => ({ op: 'add', path: `/metadata/labels/${key}`, value });
const labelsOf = ({ object }: Outcome) => ((object as JsonObject).metadata as JsonObject).labels;
const AGAIN = { reinvocationPolicy: 'IfNeeded' };

test('each webhook sees the changes of those before it', async () => {
  const seen: unknown[] = [];
  const { outcome } = await admitWith({
    a: () => ({ patch: [label('a')] }),
    b: (object) => {
      seen.push((object.metadata as JsonObject).labels);
      return {};
    },
  });
  expect(seen).toEqual([{ app: 'web', a: 'yes' }]);
  expect(labelsOf(outcome)).toEqual({ app: 'web', a: 'yes' });
});

test('a webhook with reinvocationPolicy IfNeeded is called again if a later one changed the object', async () => {
  const later = { b: () => ({ patch: [label('b')] }) };
  const { calls } = await admitWith({ a: () => ({}), ...later }, { a: AGAIN });
  expect(calls).toEqual(['a', 'b', 'a']);
  const { calls: once } = await admitWith({ a: () => ({}), ...later });
  expect(once).toEqual(['a', 'b']);
});

test('the last to change the object is not called again for its own change', async () => {
  const { calls } = await admitWith(
    { a: () => ({}), b: (_, call) => (call === 1 ? { patch: [label('b')] } : {}) },
    { a: AGAIN, b: AGAIN },
  );
  expect(calls).toEqual(['a', 'b', 'a']);
});

test('an injected container causes a second call, with the mount of its token', async () => {
  const mounts: unknown[] = [];
  const { calls, outcome } = await admitWith(
    {
      a: (object, call) => {
        const { containers } = object.spec as { containers: { name: string; volumeMounts?: unknown[] }[] };
        mounts.push(containers.find(({ name }) => name === 'side')?.volumeMounts?.length);
        const container = { name: 'side', image: 'side:1' };
        return call === 1 ? { patch: [{ op: 'add', path: '/spec/containers/-', value: container }] } : {};
      },
    },
    { a: AGAIN },
  );
  expect(calls).toEqual(['a', 'a']);
  expect(mounts).toEqual([undefined, 1]);
  expect(outcome.allowed).toBe(true);
});

test('no webhook is called a third time', async () => {
  const { calls } = await admitWith(
    {
      a: (_, call) => ({ patch: [label('a', String(call))] }),
      b: (_, call) => ({ patch: [label('b', String(call))] }),
    },
    { a: AGAIN, b: AGAIN },
  );
  expect(calls).toEqual(['a', 'b', 'a', 'b']);
});

test('a patch of the first round that changes nothing still starts the second', async () => {
  const same = { patch: [{ op: 'replace', path: '/metadata/labels/app', value: 'web' }] };
  const { outcome } = await admitWith({ a: () => same });
  const rounds = outcome.trace.flatMap((step) => (step.type === 'webhook' ? [step.round] : []));
  expect(rounds).toEqual([0, 1]);
});

test("a denial ends the request with the webhook's message", async () => {
  const { outcome, calls } = await admitWith({
    a: () => ({ allowed: false, status: { message: 'no', code: 418 } }),
    b: () => ({}),
  });
  expect(calls).toEqual(['a']);
  expect(outcome).toMatchObject({
    allowed: false,
    status: { code: 418, message: 'admission webhook "a.example.com" denied the request: no' },
  });
});

test('a failing call is skipped under Ignore, and recorded for the audit log', async () => {
  const { outcome } = await admitWith(
    { a: () => ({ uid: 'other' }), b: () => ({ patch: [label('b')] }) },
    { a: { failurePolicy: 'Ignore' } },
  );
  expect(outcome.allowed).toBe(true);
  expect(labelsOf(outcome)).toEqual({ app: 'web', b: 'yes' });
  expect(outcome.auditAnnotations['failed-open.mutation.webhook.admission.k8s.io/round_0_index_0']).toBe(
    'a.example.com',
  );
});

test('the audit log has each patch in the form that Go writes', async () => {
  const { outcome } = await admitWith({
    a: () => ({
      patch: [{ path: '/metadata/annotations', op: 'add', value: { x: '<b>' } }],
    }),
  });
  expect(outcome.auditAnnotations['patch.webhook.admission.k8s.io/round_0_index_0']).toBe(
    '{"configuration":"a","webhook":"a.example.com","patch":[{"op":"add","path":"/metadata/annotations","value":{"x":"\\u003cb\\u003e"}}],"patchType":"JSONPatch"}',
  );
});

test('an object that a patch made invalid is rejected before the validating phase', async () => {
  const { outcome } = await admitWith({
    a: () => ({ patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'app', image: 'b' } }] }),
  });
  expect(outcome).toMatchObject({ allowed: false, status: { code: 422, reason: 'Invalid' } });
});

test('objects that are passed in are not changed', async () => {
  const before = structuredClone(pod);
  await admitWith({ a: () => ({ patch: [label('a')] }) });
  expect(pod).toEqual(before);
});
