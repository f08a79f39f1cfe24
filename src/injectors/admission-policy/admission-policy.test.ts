import { beforeAll, describe, expect, it } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import { textFiles } from '../../files/text-files.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { runPipeline } from '../../pipeline/run-pipeline.ts';
import { runAndValidate } from '../../pipeline/validate-stages.ts';
import { checkWaitingLaws } from '../../testing/waiting-laws.ts';
import { admissionPolicy } from './admission-policy.ts';

beforeAll(async () => admissionPolicy.prepare?.({}));

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }];

function mutating(name: string, expression: string, spec: object = {}) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      reinvocationPolicy: 'Never',
      matchConstraints: { resourceRules: rules },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      ...spec,
    },
  };
}

function binding(name: string) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name },
  };
}

const label = (key: string, value: string) =>
  `Object{metadata: Object.metadata{labels: {'${key}': ${value}}}}`;

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { containers: [{ name: 'app', image: 'app:1' }] },
};

function run(objects: readonly object[], settings: object = {}, files = {}, object = pod) {
  const config = admissionPolicy.config?.(settings);
  const pipeline = createPipeline([{ name: 'policies', injector: admissionPolicy, config }]);
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
  return runPipeline(pipeline, request, object, filesView(objects as never), textFiles(files));
}

it('names policy, binding and expression in the trace', () => {
  const { trace } = run([mutating('one', label('a', "'b'")), binding('one')]);
  expect(trace[0]).toMatchObject({
    decision: 'grafted',
    notes: ['policy "one", binding "one": changed the object', `  mutation 1: ${label('a', "'b'")}`],
  });
});

it('runs policies until they agree, whatever their names', () => {
  const outcome = run([
    mutating('a-second', label('second', "object.metadata.?labels['first'].orValue('?')")),
    binding('a-second'),
    mutating('b-first', label('first', "'1'")),
    binding('b-first'),
  ]);
  expect(outcome).toMatchObject({ object: { metadata: { labels: { first: '1', second: '1' } } } });
});

it('names a policy that never settles', () => {
  const count = "string(int(object.metadata.?labels['n'].orValue('0')) + 1)";
  expect(run([mutating('counter', label('n', count)), binding('counter')])).toMatchObject({
    allowed: false,
    reason: expect.stringContaining(
      'MutatingAdmissionPolicy "counter" would change the object every time it runs',
    ),
  });
});

it('reads policies from files of the configuration', () => {
  const documents = [mutating('one', label('a', "'b'")), binding('one')];
  const files = { '/policies.yaml': documents.map((each) => JSON.stringify(each)).join('\n---\n') };
  const outcome = run([], { files: ['/policies.yaml'] }, files);
  expect(outcome).toMatchObject({ object: { metadata: { labels: { a: 'b' } } } });
});

it('reports policies that are not run', () => {
  const config = admissionPolicy.config?.({ params: ['ConfigMap'] }) as never;
  const secret = { paramKind: { apiVersion: 'v1', kind: 'Secret' } };
  const objects = [
    mutating('broken', 'Object{'),
    mutating('secretive', label('a', "'b'"), secret),
    mutating('fine', label('a', "'b'"), { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  ];
  const severity = 'error';
  expect(admissionPolicy.problems?.(config, filesView(objects as never), textFiles({}))).toEqual([
    {
      message: expect.stringContaining(
        'MutatingAdmissionPolicy "broken" is not run: spec.mutations[0].applyConfiguration.expression: Invalid value',
      ),
      severity,
      object: objects[0],
    },
    {
      message:
        'MutatingAdmissionPolicy "secretive" is not run: its paramKind "v1, Secret" is not among "params" of the configuration',
      severity,
      object: objects[1],
    },
  ]);
});

it.each([{}, { authorizer: true }])(
  'says that there is no cluster to ask without a server: %o',
  (settings) => {
    const check = "authorizer.group('').resource('pods').check('get').allowed()";
    expect(run([mutating('one', label('a', `string(${check})`)), binding('one')], settings)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining(
        'authorizer is not available: there is no cluster to ask whether "ann" may get pods',
      ),
    });
  },
);

it('obeys the laws with replies of the authorizer', async () => {
  const check = "authorizer.group('').resource('pods').check('get').allowed()";
  const served = await checkWaitingLaws({
    entry: {
      name: 'policies',
      injector: admissionPolicy,
      config: admissionPolicy.config?.({ authorizer: true }),
    },
    request: requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'ann' }),
    object: pod,
    cluster: filesView([mutating('one', label('a', `string(${check})`)), binding('one')] as never),
    reply: (call) => ({ body: { allowed: 'access' in call && call.access.user === 'ann' } }),
  });
  expect(served.object).toMatchObject({ metadata: { labels: { a: 'true' } } });
});

it('watches the version that the cluster serves', () => {
  const config = admissionPolicy.config?.({ mutating: 'v1beta1', validating: false }) as never;
  const reads = admissionPolicy.reads?.(config) ?? [];
  expect(reads.map(({ kind, version }) => `${kind} ${version}`)).toEqual([
    'MutatingAdmissionPolicy v1beta1',
    'MutatingAdmissionPolicyBinding v1beta1',
    'Namespace v1',
  ]);
});

it('keeps fields that are newer than the API description', () => {
  const object = { ...pod, spec: { ...pod.spec, newer: { field: 1 } } };
  const config = admissionPolicy.config?.({});
  const pipeline = createPipeline([{ name: 'policies', injector: admissionPolicy, config }]);
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
  const cluster = filesView([mutating('one', label('a', "'b'")), binding('one')] as never);
  const outcome = runPipeline(pipeline, request, object, cluster);
  expect(outcome).toMatchObject({ patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] });
});

describe('an object that has another type than the API server can send', () => {
  const mutations = [
    {
      patchType: 'JSONPatch',
      jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/spec/hostname', value: 'web'}]" },
    },
  ];
  const policies = [mutating('one', label('a', "'b'")), mutating('two', '', { mutations })];
  const outcomeOf = (member: object) =>
    run([...policies, binding('one'), binding('two')], {}, {}, { ...pod, ...member });

  it.each([
    [{ spec: { ...pod.spec, readinessGates: {} } }, 'json: cannot unmarshal object into Go struct field'],
    [{ spec: { ...pod.spec, overhead: { cpu: 'lots' } } }, 'quantities must match the regular expression'],
    [{ metadata: { ...pod.metadata, creationTimestamp: 'x' } }, 'parsing time "x" as'],
  ])('is left to it: %j', (member, error) => {
    expect(outcomeOf(member)).toMatchObject({
      allowed: true,
      patch: [],
      trace: [{ decision: 'skipped', reason: expect.stringContaining(`the object is invalid: ${error}`) }],
    });
  });

  // Otherwise a Pod with such a time, which the API server accepts, could evade policies.
  it.each(['10000-01-01T00:59:59Z', '-0001-12-31T23:00:00Z'])(
    'is denied if Go writes it, but cannot read it: %s',
    (creationTimestamp) => {
      expect(outcomeOf({ metadata: { ...pod.metadata, creationTimestamp } })).toMatchObject({
        allowed: false,
        reason: expect.stringContaining('parsing time'),
      });
    },
  );
});

it('judges the object after the other injectors', () => {
  const policy = {
    ...mutating('labelled', ''),
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      matchConstraints: { resourceRules: rules },
      validations: [{ expression: "object.metadata.?labels['a'].orValue('') == 'b'", message: 'no label' }],
    },
  };
  const bound = {
    ...binding('labelled'),
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'labelled', validationActions: ['Deny'] },
  };
  const config = admissionPolicy.config?.({});
  const pipeline = createPipeline([{ name: 'policies', injector: admissionPolicy, config }]);
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
  const view = (...others: object[]) => filesView([policy, bound, ...others] as never);
  const rejected = runAndValidate(pipeline, request, pod, view());
  expect(rejected).toMatchObject({ allowed: false, injector: 'policies' });
  expect(rejected).toHaveProperty('reason', expect.stringContaining('denied request: no label'));
  const mutated = view(mutating('one', label('a', "'b'")), binding('one'));
  expect(runAndValidate(pipeline, request, pod, mutated)).toMatchObject({ allowed: true });
});

it('says why a validating policy is not for the object', () => {
  const spec = { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'false' }] };
  const policy = (name: string, own: object = {}) => ({
    ...mutating(name, ''),
    kind: 'ValidatingAdmissionPolicy',
    spec: { ...spec, ...own },
  });
  const bound = {
    ...binding('labelled'),
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName: 'labelled', validationActions: ['Deny'] },
  };
  const objectSelector = { matchLabels: { a: 'b' } };
  const labelled = policy('labelled', { matchConstraints: { resourceRules: rules, objectSelector } });
  const config = admissionPolicy.config?.({});
  const pipeline = createPipeline([{ name: 'policies', injector: admissionPolicy, config }]);
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
  const view = filesView([policy('alone'), labelled, bound] as never);
  const { trace } = runAndValidate(pipeline, request, pod, view);
  expect(trace.at(-1)).toMatchObject({
    decision: 'skipped',
    reason: 'no ValidatingAdmissionPolicy is for this object',
    notes: [
      'policy "alone": skipped, no binding names the policy "alone"',
      expect.stringMatching(/^policy "labelled": skipped, .*a/),
    ],
  });
});

it('suggests the kind that was probably meant', () => {
  expect(() => admissionPolicy.config?.({ params: ['Configmap'] })).toThrow(
    'unknown kind "Configmap", did you mean "ConfigMap"?',
  );
});
