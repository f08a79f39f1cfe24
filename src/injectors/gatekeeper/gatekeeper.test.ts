import { expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { Json, JsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { problemsOf } from '../../pipeline/problems.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { runStages } from '../../pipeline/run-pipeline.ts';
import { selectStages } from '../../pipeline/select-stages.ts';
import { type CallView, NO_CALLS, type Replied, type ServiceCall } from '../../sdk/calls.ts';
import { checkWaitingLaws } from '../../testing/waiting-laws.ts';
import { gatekeeper } from './gatekeeper.ts';
import { lintMutators } from './lint-mutators.ts';
import { systemOf } from './system/system.ts';

const PODS = [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }];
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'till', namespace: 'shop' },
  spec: { containers: [{ name: 'till', image: 'till:1' }] },
} as unknown as KubeObject;

function mutator(kind: string, name: string, spec: JsonObject, annotations: { [key: string]: string } = {}) {
  const apiVersion = 'mutations.gatekeeper.sh/v1';
  return { apiVersion, kind, metadata: { name, annotations }, spec } as KubeObject;
}

const assign = (name: string, location: string, value: Json, more: JsonObject = {}) =>
  mutator('Assign', name, { applyTo: PODS, location, parameters: { assign: { value } }, ...more });

const label = (name: string, key: string, match: JsonObject = {}) =>
  mutator('AssignMetadata', name, {
    match,
    location: `metadata.labels.${key}`,
    parameters: { assign: { value: 'yes' } },
  });

function run(objects: readonly KubeObject[], object = POD, calls: CallView = NO_CALLS, raw: object = {}) {
  const cluster = filesView(objects);
  const pipeline = createPipeline([
    { name: 'gatekeeper', injector: gatekeeper, config: gatekeeper.config?.(raw) },
  ]);
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'ann' });
  const outcome = runStages(
    selectStages(pipeline, request, object, cluster),
    request,
    object,
    cluster,
    undefined,
    undefined,
    calls,
  );
  if (!outcome.allowed) throw new Error(outcome.reason);
  return outcome;
}

test('the trace names the mutators that have changed something', () => {
  const set = (name: string, value: string) => assign(name, 'spec.hostname', value);
  const { trace } = run([
    set('a', 'first'),
    set('b', 'till'),
    assign('c', 'spec.nodeName', 'n'),
    label('d', 'e', { name: 'other' }),
  ]);
  expect(trace).toMatchObject([
    {
      notes: [
        'Assign "a" changed "spec.hostname"',
        'Assign "b" changed "spec.hostname"',
        'Assign "c" changed "spec.nodeName"',
      ],
    },
  ]);
  const done = {
    ...POD,
    spec: { ...(POD as unknown as { spec: object }).spec, nodeName: 'n' },
  } as unknown as KubeObject;
  expect(run([assign('c', 'spec.nodeName', 'n')], done).trace[0]).not.toHaveProperty('notes');
});

test('the last mutator by kind and name wins, and the result is stable', () => {
  const outcome = run([assign('b', 'spec.hostname', 'second'), assign('a', 'spec.hostname', 'first')]);
  expect(outcome.object).toMatchObject({ spec: { hostname: 'second' } });
  expect(
    run([assign('b', 'spec.hostname', 'second'), assign('a', 'spec.hostname', 'first')], outcome.object)
      .patch,
  ).toEqual([]);
});

test('a change of one mutator can make an earlier one match', () => {
  const late = label('a', 'late', { labelSelector: { matchLabels: { early: 'yes' } } });
  expect(run([late, label('b', 'early')]).object.metadata.labels).toEqual({ early: 'yes', late: 'yes' });
});

test('a missing Namespace fails a namespaceSelector and names it', () => {
  const selected = label('a', 'x', { namespaceSelector: { matchLabels: { team: 'a' } } });
  expect(() => run([selected])).toThrow(
    'AssignMetadata "a": namespaceSelector needs Namespace "shop", which is not known',
  );
});

test('a location that does not fit the object fails and names mutator and place', () => {
  expect(() => run([assign('a', 'spec.containers.image', 'x')])).toThrow(
    'Assign "a": "spec.containers" is a list, but location "spec.containers.image" expects a map',
  );
});

test('pruning a missing list leaves no empty parents', () => {
  const prune = mutator('ModifySet', 'a', {
    applyTo: PODS,
    location: 'spec.containers[name: *].securityContext.capabilities.add',
    parameters: { operation: 'prune', values: { fromList: ['ALL'] } },
  });
  expect(run([prune]).patch).toEqual([]);
});

test('null is absent', () => {
  const pod = {
    ...POD,
    spec: { containers: [{ name: 'till', image: 'till:1', ports: null }] },
  } as unknown as KubeObject;
  const outcome = run([assign('a', 'spec.containers[name: till].ports[name: web].containerPort', 80)], pod);
  expect(outcome.object).toMatchObject({
    spec: { containers: [{ ports: [{ name: 'web', containerPort: 80 }] }] },
  });
});

test('a value that the API server has completed is not replaced again, but one with other fields is', () => {
  const sidecar = assign('a', 'spec.containers[name: logs]', { name: 'logs', image: 'logs:1' });
  const added = {
    name: 'logs',
    image: 'logs:1',
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'File',
  };
  const token = { name: 'kube-api-access', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  const withSidecar = (sidecar: JsonObject) =>
    ({ ...POD, spec: { containers: [{ name: 'till', image: 'till:1' }, sidecar] } }) as unknown as KubeObject;
  expect(run([sidecar], withSidecar({ ...added, volumeMounts: [token] })).patch).toEqual([]);
  expect(run([sidecar], withSidecar({ ...added, command: ['other'] })).object).toMatchObject({
    spec: { containers: [{}, { name: 'logs', image: 'logs:1' }] },
  });
  expect(run([sidecar], withSidecar({ ...added, command: ['other'] })).object).not.toHaveProperty(
    'spec.containers.1.command',
  );
});

test('conflicting mutators are off, which requests and problems report; the others still run', () => {
  const objects = [
    assign('a', 'spec.containers[name: *].tty', true),
    assign('b', 'spec.containers.tty', true),
    label('c', 'x'),
  ];
  const text =
    'Assign "a" and Assign "b" conflict and are switched off: "spec.containers" is a list and a map of v1/Pod';
  const outcome = run(objects);
  expect(outcome.warnings).toEqual([text]);
  expect(outcome.object.metadata.labels).toEqual({ x: 'yes' });
  const pipeline = createPipeline([
    { name: 'policies', injector: gatekeeper, config: gatekeeper.config?.({}) },
  ]);
  expect(problemsOf(pipeline, filesView(objects))).toEqual([
    { injector: 'policies', problem: text, severity: 'error' },
  ]);
  expect(problemsOf(pipeline, filesView(objects.slice(1)))).toEqual([]);
  expect(run(objects.slice(0, 1)).object).toMatchObject({ spec: { containers: [{ tty: true }] } });
});

test('an invalid mutator is off and a problem', () => {
  const pipeline = createPipeline([
    { name: 'policies', injector: gatekeeper, config: gatekeeper.config?.({}) },
  ]);
  expect(problemsOf(pipeline, filesView([assign('a', 'spec[', 1)]))).toMatchObject([
    {
      problem: expect.stringMatching(
        /^Assign "a" is invalid: spec.location: .* at position 6 of "spec\["; it is not applied$/,
      ),
    },
  ]);
});

test('with mode warn a mutator reports what it would change, and changes nothing', () => {
  const dry = mutator(
    'Assign',
    'a',
    { applyTo: PODS, location: 'spec.containers[name: *].tty', parameters: { assign: { value: true } } },
    { 'podgraft.dev/mode': 'warn' },
  );
  const outcome = run([dry]);
  expect(outcome.patch).toEqual([]);
  expect(outcome.warnings).toEqual(['Assign "a" would change "/spec/containers/0/tty"']);
});

test('mutators of the configuration are checked when it is read', () => {
  expect(() => gatekeeper.config?.({ resources: [assign('a', 'spec[', 1)] })).toThrow(
    'resources.0.spec.location',
  );
  const options = gatekeeper.config?.({
    resources: [assign('a', 'spec.containers[name: *].tty', true), assign('b', 'spec.containers.tty', true)],
  });
  const issues = gatekeeper.check?.(options as never, ['*'], []) ?? [];
  expect(issues.map(({ severity, message }) => [severity, message])).toEqual([
    ['warning', expect.stringContaining('Assign "a" has no match')],
    ['warning', expect.stringContaining('Assign "b" has no match')],
    ['error', expect.stringContaining('Assign "a" and Assign "b" conflict')],
  ]);
});

test('a system is compiled once as long as the cluster does not change', () => {
  const cluster = filesView([label('a', 'x'), assign('b', 'spec.hostname', 'x')]);
  const none: readonly KubeObject[] = [];
  expect(systemOf(none, cluster)).toBe(systemOf(none, cluster));
  const kind = { group: '', version: 'v1', kind: 'Pod' };
  expect(systemOf(none, cluster).select(kind, 'CREATE')).toBe(systemOf(none, cluster).select(kind, 'CREATE'));
  expect(
    systemOf(none, cluster)
      .select({ ...kind, kind: 'Service' }, 'CREATE')
      .enforced.map(({ name }) => name),
  ).toEqual(['a']);
});

const PROVIDER = {
  apiVersion: 'externaldata.gatekeeper.sh/v1beta1',
  kind: 'Provider',
  metadata: { name: 'registry' },
  spec: { url: 'https://registry.example.com/', timeout: 2, caBundle: btoa('-----BEGIN CERTIFICATE-----') },
} as KubeObject;

const external = (name: string, location: string, more: JsonObject = {}) =>
  mutator('Assign', name, {
    applyTo: PODS,
    location,
    parameters: { assign: { externalData: { provider: 'registry', ...more } } },
  });

/** Replies on the second run, like the server. */
function runWithReplies(
  objects: readonly KubeObject[],
  answer: (keys: readonly string[]) => Json,
  pod = POD,
) {
  const replies: Replied[] = [];
  const calls: ServiceCall[] = [];
  const view: CallView = {
    replies,
    reply(call: ServiceCall) {
      const known = replies.find((each) => JSON.stringify(each.call) === JSON.stringify(call));
      if (known === undefined) calls.push(call);
      return known?.reply;
    },
  };
  for (;;) {
    const before = calls.length;
    const outcome = run(objects, pod, view);
    if (calls.length === before) return { outcome, calls };
    for (const call of calls.slice(before)) {
      const { keys } = (call.body as { request: { keys: string[] } }).request;
      replies.push({ call, reply: { body: { response: answer(keys) } } });
    }
  }
}

test('external data is requested once per provider, and its own values are not requested again', () => {
  const objects = [
    PROVIDER,
    external('a', 'spec.containers[name: *].image'),
    external('b', 'spec.hostname', { dataSource: 'Username' }),
  ];
  const { outcome, calls } = runWithReplies(objects, (keys) => ({
    idempotent: true,
    items: keys.map((key) => ({ key, value: `pinned-${key}` })),
  }));
  expect(outcome.object).toMatchObject({
    spec: { hostname: 'pinned-ann', containers: [{ image: 'pinned-till:1' }] },
  });
  const body = {
    apiVersion: 'externaldata.gatekeeper.sh/v1beta1',
    kind: 'ProviderRequest',
    request: { keys: ['ann', 'till:1'] },
  };
  expect(calls[0]).toMatchObject({ url: 'https://registry.example.com/', timeoutMs: 2000, body });
  expect(calls).toHaveLength(1);
});

test.each<[string, JsonObject, unknown]>([
  ['Ignore', { failurePolicy: 'Ignore' }, 'till:1'],
  ['UseDefault', { failurePolicy: 'UseDefault', default: 'fallback:1' }, 'fallback:1'],
])('failurePolicy %s continues with a warning', (_, policy, image) => {
  const { outcome } = runWithReplies(
    [PROVIDER, external('a', 'spec.containers[name: *].image', policy)],
    () => ({
      systemError: 'out of order',
    }),
  );
  expect(outcome.object).toMatchObject({ spec: { containers: [{ image }] } });
  expect(outcome.warnings).toEqual([expect.stringContaining('Provider "registry" failed')]);
});

test('failurePolicy Fail fails the request; replies must be idempotent', () => {
  const objects = [PROVIDER, external('a', 'spec.containers[name: *].image')];
  expect(() => runWithReplies(objects, () => ({ items: [] }))).toThrow(
    'Provider "registry" failed: the reply is not marked as idempotent',
  );
  expect(() => run(objects.slice(1))).toThrow('there is no Provider "registry"');
});

test('the laws hold for external data', async () => {
  const objects = [
    PROVIDER,
    external('a', 'spec.containers[name: *].image'),
    external('b', 'spec.hostname', { dataSource: 'Username' }),
  ];
  const served = await checkWaitingLaws({
    entry: { name: 'gatekeeper', injector: gatekeeper, config: gatekeeper.config?.({}) },
    request: requestFor(POD, { operation: 'CREATE', namespace: 'shop', username: 'ann' }),
    object: POD,
    cluster: filesView(objects),
    reply(call) {
      const { keys } = ((call as ServiceCall).body as { request: { keys: string[] } }).request;
      const items = keys.map((key) => ({ key, value: key.replace(/^(?!pinned-)/, 'pinned-') }));
      return { body: { response: { idempotent: true, items } } };
    },
  });
  expect(served.object).toMatchObject({
    spec: { hostname: 'pinned-ann', containers: [{ image: 'pinned-till:1' }] },
  });
});

test.each([
  ['one key of 4,097 characters', 'x'.repeat(4097), 1, 'key "xxx'],
  ['100 keys of 4,000 characters', 'x'.repeat(4000), 100, 'its keys have more than 262144 characters'],
])('%s: the provider is not asked, and the object is at fault', (_, image, count, reason) => {
  const containers = Array.from({ length: count }, (__, index) => ({
    name: `c${index}`,
    image: image + index,
  }));
  const pod = { ...POD, spec: { containers } } as unknown as KubeObject;
  const objects = [PROVIDER, external('a', 'spec.containers[name: *].image')];
  const outcome = () => run(objects, pod);
  expect(outcome).toThrow(reason);
  // It is denied, and the review is not answered with 500.
  expect(outcome).not.toThrow(expect.objectContaining({ code: expect.anything() }));
});

test('keys that are short enough are still sent', () => {
  const containers = ['x'.repeat(5000), 'till:1'].map((image, index) => ({ name: `c${index}`, image }));
  const pod = { ...POD, spec: { containers } } as unknown as KubeObject;
  const objects = [PROVIDER, external('a', 'spec.containers[name: *].image', { failurePolicy: 'Ignore' })];
  const answer = (keys: readonly string[]) => ({
    idempotent: true,
    items: keys.map((key) => ({ key, value: `pinned-${key}` })),
  });
  const { outcome, calls } = runWithReplies(objects, answer, pod);
  expect(calls.map(({ body }) => (body as { request: object }).request)).toEqual([{ keys: ['till:1'] }]);
  expect(outcome.object).toMatchObject({
    spec: { containers: [{ image: 'x'.repeat(5000) }, { image: 'pinned-till:1' }] },
  });
  expect(outcome.warnings).toHaveLength(1);
});

test('lint finds an empty match, mutators that never apply, and conflicts', () => {
  const findings = lintMutators([
    POD,
    label('everything', 'x'),
    label('generated', 'y', { source: 'Generated' }),
    label('fine', 'z', { namespaces: ['shop'] }),
    assign('elsewhere', 'spec.a', 1, { match: { kinds: [{ apiGroups: ['apps'], kinds: ['Deployment'] }] } }),
    assign('wild', 'spec.a', 1, {
      applyTo: [{ groups: ['*'], versions: ['v1'], kinds: ['Pod'] }],
      match: { name: 'x' },
    }),
    assign('list', 'spec.b[name: *].c', 1, { match: { name: 'x' } }),
    assign('map', 'spec.b.c', 1, { match: { name: 'x' } }),
    assign('broken', 'spec[', 1),
  ]);
  expect(findings.map(({ rule, mutators }) => [rule, ...mutators])).toEqual([
    ['invalid', 'Assign/broken'],
    ['never-applies', 'Assign/elsewhere'],
    ['never-applies', 'Assign/wild'],
    ['empty-match', 'AssignMetadata/everything'],
    ['never-applies', 'AssignMetadata/generated'],
    ['conflict', 'Assign/list', 'Assign/map'],
  ]);
});
