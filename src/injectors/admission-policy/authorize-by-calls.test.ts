import { describe, expect, it } from 'vitest';
import { CelError } from '../../cel/cel-error.ts';
import type { AccessCheck } from '../../cel/values/authorizer-values.ts';
import { type Call, type CallView, type Json, NO_CALLS, type Reply } from '../../sdk/index.ts';
import { authorizeByCalls } from './authorize-by-calls.ts';

const PODS: AccessCheck = {
  user: { username: 'ann' },
  verb: 'get',
  path: '',
  group: '',
  resource: 'pods',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** What was asked, and the decision or the error. */
function ask(check: Partial<AccessCheck>, reply: Reply | undefined) {
  const asked: Call[] = [];
  const calls: CallView = {
    replies: [],
    reply(call) {
      asked.push(call);
      return reply;
    },
  };
  const authorize = authorizeByCalls(calls, true);
  try {
    return { asked, decision: authorize?.({ ...PODS, ...check }) };
  } catch (error) {
    expect(error).toBeInstanceOf(CelError);
    return { asked, error: (error as Error).message };
  }
}

const accessOf = (check: Partial<AccessCheck>) => ask(check, { body: {} }).asked[0];
const decisionOf = (body: Json) => ask({}, { body }).decision;

describe('a question', () => {
  it('is a SubjectAccessReview for the user of the request', () => {
    const user = { username: 'ann', uid: '7', groups: ['dev'], extra: { scopes: ['a', 'b'] } };
    expect(accessOf({ user })).toEqual({
      access: {
        user: 'ann',
        uid: '7',
        groups: ['dev'],
        extra: { scopes: ['a', 'b'] },
        resourceAttributes: { verb: 'get', version: '*', resource: 'pods' },
      },
    });
  });

  it('has everything that the expression names', () => {
    const check = {
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'shop',
      name: 'web',
      fieldSelector: 'metadata.name=web',
      labelSelector: 'app=web',
    };
    expect(accessOf(check)).toMatchObject({
      access: {
        resourceAttributes: {
          ...check,
          fieldSelector: { rawSelector: 'metadata.name=web' },
          labelSelector: { rawSelector: 'app=web' },
        },
      },
    });
  });

  it('may be about a path', () => {
    expect(accessOf({ path: '/healthz', resource: '' })).toEqual({
      access: { user: 'ann', nonResourceAttributes: { path: '/healthz', verb: 'get' } },
    });
  });
});

describe('the decision', () => {
  it.each<[string, Json, object]>([
    ['allows', { allowed: true, reason: 'RBAC: yes' }, { allowed: true, reason: 'RBAC: yes' }],
    ['does not allow', { allowed: false, denied: true, reason: 'no' }, { allowed: false, reason: 'no' }],
    ['has no opinion', { allowed: false }, { allowed: false }],
    [
      'has an error',
      { allowed: false, evaluationError: 'no such role' },
      { allowed: false, error: 'no such role' },
    ],
  ])('%s', (_, status, decision) => {
    expect(decisionOf(status)).toEqual(decision);
  });

  it('has no error for selectors that are ignored, as in the API server', () => {
    const ignored = 'spec.resourceAttributes.fieldSelector ignored due to parse error';
    expect(decisionOf({ allowed: true, evaluationError: ignored })).toEqual({ allowed: true });
    expect(decisionOf({ allowed: true, evaluationError: `no such role; ${ignored}` })).toEqual({
      allowed: true,
      error: 'no such role',
    });
  });
});

describe('an error', () => {
  it('is that of a question without an answer', () => {
    expect(ask({}, undefined).error).toBe('the cluster has not answered yet');
  });

  it('says why the cluster could not be asked', () => {
    expect(ask({}, { failure: 'no answer within 50 ms' }).error).toBe(
      'cannot ask the cluster whether "ann" may get pods: no answer within 50 ms',
    );
  });

  it('names the key that is missing in the configuration', () => {
    const calls: CallView = { reply: () => undefined, replies: [] };
    const authorize = authorizeByCalls(calls, false);
    expect(() => authorize?.(PODS)).toThrow('set "authorizer: true" below "with"');
  });

  it('is left to the language if there is no server', () => {
    expect(authorizeByCalls(NO_CALLS, true)).toBeUndefined();
    expect(authorizeByCalls(NO_CALLS, false)).toBeUndefined();
  });
});
