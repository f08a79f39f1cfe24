import { beforeAll, expect, it } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { admissionPolicy } from '../injectors/admission-policy/admission-policy.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import type { Call } from '../sdk/calls.ts';
import { defineInjector } from '../sdk/injector.ts';
import { skip } from '../sdk/verdict.ts';
import { answerReview } from './answer-review.ts';

beforeAll(async () => admissionPolicy.prepare?.({}));

const BODY = Buffer.from(
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '1',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      operation: 'CREATE',
      namespace: 'shop',
      userInfo: { username: 'ann' },
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web' },
        spec: { containers: [{ name: 'app', image: 'app:1' }] },
      },
    },
  }),
);

/** A policy that sets a label to this value. */
function policyWith(value: string): readonly KubeObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const expression = `Object{metadata: Object.metadata{labels: {'flag': ${value}}}}`;
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
  const spec = {
    reinvocationPolicy: 'Never',
    matchConstraints: { resourceRules: [rule] },
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  };
  return [
    { apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name: 'flag' }, spec },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: 'flag' },
      spec: { policyName: 'flag' },
    },
  ] as unknown as KubeObject[];
}

function answerWith(value: string) {
  const calls: Call[] = [];
  const config = admissionPolicy.config?.({ authorizer: true });
  const answer = answerReview(BODY, {
    pipeline: createPipeline([{ name: 'policies', injector: admissionPolicy, config }]),
    cluster: filesView(policyWith(value)),
    async call(missing) {
      calls.push(...missing);
      return missing.map(() => ({ body: { allowed: true } }));
    },
  });
  return { answer, calls };
}

it('answers at once if no expression asks the authorizer', () => {
  expect(answerWith("'yes'").answer).toMatchObject({ allowed: true, operations: 1 });
});

it('records what expressions ask the authorizer, and decides again with the answers', async () => {
  const { answer, calls } = answerWith("string(authorizer.path('/metrics').check('get').allowed())");
  expect(answer).toBeInstanceOf(Promise);
  const { body } = await answer;
  const { patch } = (JSON.parse(body) as { response: { patch: string } }).response;
  expect(JSON.parse(atob(patch))).toEqual([{ op: 'add', path: '/metadata/labels', value: { flag: 'true' } }]);
  expect(calls).toEqual([
    { access: { user: 'ann', nonResourceAttributes: { path: '/metrics', verb: 'get' } } },
  ]);
});

it('gives injectors a request without the object: it would be the one that was sent', () => {
  const requests: object[] = [];
  const injector = defineInjector({
    name: 'look',
    summary: '',
    match: {},
    inject(_, { request }) {
      requests.push(request);
      return skip('');
    },
  });
  answerReview(BODY, { pipeline: createPipeline([{ name: 'look', injector }]), cluster: filesView([]) });
  expect(requests).toEqual([expect.objectContaining({ uid: '1', namespace: 'shop' })]);
  expect(requests[0]).not.toHaveProperty('object');
});
