import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { createCaller } from '../../src/server/make-calls.ts';
import { answer, type Call, refuse } from '../cluster/fake-api-server.ts';
import { type Answer, call, patchOf, responseOf, withRequest } from './fixtures.ts';
import { type WatchedCluster, watchedCluster } from './watched-cluster.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors: [{name: policies, use: admission-policy, with: {authorizer: true}}]
`;

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { containers: [{ name: 'app', image: 'app:1' }] },
};
const USER = { username: 'ann', uid: '7', groups: ['dev', 'system:authenticated'], extra: { scopes: ['a'] } };

const OWN = "authorizer.group('example.com').resource('flags').namespace(request.namespace)";
const ALLOWED = `${OWN}.check('use').allowed()`;

interface Policy {
  readonly name?: string;
  readonly conditions?: readonly string[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
}

function mutating(value: string, { name = 'flag', conditions = [], failurePolicy = 'Fail' }: Policy = {}) {
  const expression = `Object{metadata: Object.metadata{labels: {'${name}': ${value}}}}`;
  const spec = {
    reinvocationPolicy: 'Never',
    failurePolicy,
    matchConditions: conditions.map((condition, index) => ({
      name: `condition-${index}`,
      expression: condition,
    })),
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  };
  return bound('Mutating', name, spec, {});
}

function validating(expression: string): readonly KubeObject[] {
  const spec = { validations: [{ expression, message: 'not allowed' }] };
  return bound('Validating', 'flag', spec, { validationActions: ['Deny'] });
}

function bound(type: string, name: string, spec: object, binding: object): readonly KubeObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
  const kind = `${type}AdmissionPolicy`;
  return [
    { apiVersion, kind, metadata: { name }, spec: { ...spec, matchConstraints: { resourceRules: [rule] } } },
    { apiVersion, kind: `${kind}Binding`, metadata: { name }, spec: { policyName: name, ...binding } },
  ] as unknown as KubeObject[];
}

describe('a policy that uses authorizer', () => {
  let cluster: WatchedCluster;
  let asked: JsonObject[] = [];
  afterEach(() => cluster.stop());

  /** The API server answers each question with this status. */
  async function start(
    objects: readonly KubeObject[],
    status: (spec: JsonObject) => object,
    config = CONFIG,
  ): Promise<void> {
    await startWith(
      objects,
      (call, response) => answer(response, { ...reviewIn(call), status: status(asked.at(-1) ?? {}) }, 201),
      config,
    );
  }
  async function startWith(
    objects: readonly KubeObject[],
    reply: (call: Call, response: ServerResponse) => void,
    config = CONFIG,
  ): Promise<void> {
    asked = [];
    cluster = await watchedCluster(config, {
      objects,
      answer(call, response) {
        expect(call.path).toBe('/apis/authorization.k8s.io/v1/subjectaccessreviews');
        asked.push(reviewIn(call).spec as JsonObject);
        reply(call, response);
      },
      options: (client) => ({ call: createCaller(client) }),
    });
  }
  const review = (path: string, timeout = '10s'): Promise<Answer> =>
    call(
      cluster.server.port,
      `${path}?timeout=${timeout}`,
      JSON.stringify(withRequest({ name: 'web', userInfo: USER, object: POD })),
    );
  const labels = async () => patchOf(await review('/mutate'));
  const added = (value: object) => [{ op: 'add', path: '/metadata/labels', value }];
  const rejection = async (path = '/mutate', timeout?: string) =>
    (responseOf(await review(path, timeout)) as { status?: { message: string } }).status?.message;

  it('asks the API server for the user of the request, and decides by the answer', async () => {
    await start(mutating(`string(${ALLOWED})`), () => ({ allowed: true }));
    expect(await labels()).toEqual(added({ flag: 'true' }));
    const resourceAttributes = {
      verb: 'use',
      version: '*',
      group: 'example.com',
      resource: 'flags',
      namespace: 'shop',
    };
    expect(asked).toEqual([
      { user: 'ann', uid: '7', groups: USER.groups, extra: USER.extra, resourceAttributes },
    ]);
  });

  it('asks about a ServiceAccount, a path and the object of the request', async () => {
    const account = "authorizer.serviceAccount('shop', 'till').path('/metrics').check('get')";
    const own = "authorizer.requestResource.check('create')";
    const value = `string(${account}.allowed()) + '-' + string(${own}.allowed())`;
    await start(mutating(value), ({ user }) => ({ allowed: user === 'ann' }));
    expect(await labels()).toEqual(added({ flag: 'false-true' }));
    // `+` fails at its first operand, so these are asked one after the other.
    expect(asked).toEqual([
      {
        user: 'system:serviceaccount:shop:till',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
        nonResourceAttributes: { path: '/metrics', verb: 'get' },
      },
      expect.objectContaining({
        user: 'ann',
        resourceAttributes: {
          verb: 'create',
          version: '*',
          resource: 'pods',
          namespace: 'shop',
          name: 'web',
        },
      }),
    ]);
  });

  it('asks each question once in a review, and again in the next one', async () => {
    let allowed = true;
    const policies = [
      mutating(`string(${ALLOWED})`, { name: 'a' }),
      mutating(`string(${ALLOWED})`, { name: 'b' }),
    ];
    await start(policies.flat(), () => ({ allowed }));
    expect(await labels()).toEqual(added({ a: 'true', b: 'true' }));
    expect(asked).toHaveLength(1);
    allowed = false;
    expect(await labels()).toEqual(added({ a: 'false', b: 'false' }));
    expect(asked).toHaveLength(2);
  });

  it('asks in match conditions, in parallel', async () => {
    const verbs = ['one', 'two', 'three'];
    const conditions = verbs.map((verb) => `${OWN}.check('${verb}').allowed()`);
    const waiting: (() => void)[] = [];
    await startWith(mutating("'yes'", { conditions }), (call, response) => {
      waiting.push(() => answer(response, { ...reviewIn(call), status: { allowed: true } }, 201));
      // None is answered before all have been asked.
      if (waiting.length === verbs.length) for (const reply of waiting) reply();
    });
    expect(await labels()).toEqual(added({ flag: 'yes' }));
    expect(asked.map(({ resourceAttributes }) => (resourceAttributes as JsonObject).verb)).toEqual(
      expect.arrayContaining(verbs),
    );
  });

  it('asks what depends on other answers, in as many rounds as that takes', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    // Each policy waits for the label of the one before it.
    const policies = names.flatMap((name, index) => {
      const before = names[index - 1];
      const waits = before === undefined ? [] : [`object.metadata.?labels['${before}'].hasValue()`];
      const value = `string(${OWN}.name('${name}').check('use').allowed())`;
      return mutating(value, { name, conditions: waits });
    });
    await start(policies, () => ({ allowed: true }));
    expect(await labels()).toEqual(added(Object.fromEntries(names.map((name) => [name, 'true']))));
    expect(asked).toHaveLength(names.length);
  });

  it('rejects on /validate by the answer', async () => {
    let allowed = false;
    await start(validating(ALLOWED), () => ({ allowed }));
    expect(await rejection('/validate')).toBe(
      "pods \"web\" is forbidden: ValidatingAdmissionPolicy 'flag' with binding 'flag' denied request: not allowed",
    );
    allowed = true;
    expect(await rejection('/validate')).toBeUndefined();
  });

  it('sees reason and error of the answer', async () => {
    const check = `${OWN}.check('use')`;
    const value = `${check}.errored() ? ${check}.error() : ${check}.reason()`;
    let status: object = { allowed: true, reason: 'granted' };
    await start(mutating(value), () => status);
    expect(await labels()).toEqual(added({ flag: 'granted' }));
    status = { allowed: false, evaluationError: 'broken' };
    expect(await labels()).toEqual(added({ flag: 'broken' }));
  });

  describe('that cannot ask', () => {
    const forbidden = (_: Call, response: ServerResponse) =>
      refuse(response, 403, 'Forbidden', 'subjectaccessreviews is forbidden');

    it('rejects if its failurePolicy is Fail, and says why', async () => {
      await startWith(mutating(`string(${ALLOWED})`), forbidden);
      expect(await rejection()).toContain(
        'cannot ask the cluster whether "ann" may use flags: Cannot create SubjectAccessReview: 403 Forbidden: subjectaccessreviews is forbidden',
      );
    });

    it('is skipped if its failurePolicy is Ignore', async () => {
      await startWith(mutating(`string(${ALLOWED})`, { failurePolicy: 'Ignore' }), forbidden);
      expect(await labels()).toEqual([]);
    });

    it('fails in time if the API server does not answer', async () => {
      await startWith(mutating(`string(${ALLOWED})`), () => {});
      expect(await rejection('/mutate', '1s')).toMatch(/: no answer within \d+ ms$/);
    });

    it.each([
      ['something else', { kind: 'Pod', metadata: {} }],
      ['no status', { kind: 'SubjectAccessReview', metadata: {} }],
    ])('fails if the API server answers with %s', async (_, body) => {
      await startWith(mutating(`string(${ALLOWED})`), (_, response) => answer(response, body));
      expect(await rejection()).toContain('the answer has no status');
    });

    it('fails if it asks too much', async () => {
      const policies = Array.from({ length: 40 }, (_, index) =>
        mutating(`string(${OWN}.name('n${index}').check('use').allowed())`, { name: `p${index}` }),
      );
      await start(policies.flat(), () => ({ allowed: true }));
      expect(await rejection()).toContain('more than 32 questions to the authorizer in one review');
      expect(asked).toHaveLength(32);
    });

    it('fails without the key of the configuration, which is named, and asks nothing', async () => {
      await start(
        mutating(`string(${ALLOWED})`),
        () => ({ allowed: true }),
        CONFIG.replace(', with: {authorizer: true}', ''),
      );
      expect(await rejection()).toContain('authorizer is not available: set "authorizer: true" below "with"');
      expect(asked).toEqual([]);
    });
  });
});

function reviewIn({ body }: Call): JsonObject {
  return JSON.parse(body) as JsonObject;
}
