import { expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import { textFiles } from '../../files/text-files.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { requestFor, runManifest } from '../../pipeline/run-manifest.ts';
import { runPipeline } from '../../pipeline/run-pipeline.ts';
import { NO_FILES } from '../../sdk/file-view.ts';
import { podIdentity } from './pod-identity.ts';
import { readSettings } from './settings.ts';

const pod = (spec: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'reports-' },
  spec,
});
const requestOf = (object: KubeObject, uid = '1') => ({
  ...requestFor(object, { operation: 'CREATE', namespace: 'team-a', username: 'test' }),
  uid,
});
const identities = '{"identities": [{"namespace": "team-a", "serviceAccount": "reports"}]}';
const serviceAccount: KubeObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: {
    name: 'reports',
    namespace: 'team-a',
    annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::444455556666:role/reports' },
  },
};

test('needs the ServiceAccount of the Pod, and the ConfigMap if it is watched', () => {
  const named = pod({ serviceAccountName: 'reports' });
  const unnamed = pod({});
  const names = (subject: typeof named, raw: object) =>
    podIdentity
      .needs?.(subject as never, { request: requestOf(subject), config: readSettings(raw) })
      .map(({ ref, namespace, name }) => [ref.kind, namespace, name]);
  expect(names(named, {})).toEqual([['ServiceAccount', 'team-a', 'reports']]);
  expect(names(unnamed, { watchConfigMap: true, namespace: 'aws' })).toEqual([
    ['ServiceAccount', 'team-a', 'default'],
    ['ConfigMap', 'aws', 'pod-identity-webhook'],
  ]);
});

test.each(['..', '.', 'a/b', '../secrets/key', 'a?b', 'Reports', '-a', 'a..b', 'x'.repeat(254), 5])(
  'needs nothing for the impossible account name %s',
  (serviceAccountName) => {
    const subject = pod({ serviceAccountName });
    const config = readSettings({ watchConfigMap: true });
    expect(podIdentity.needs?.(subject as never, { request: requestOf(subject), config })).toEqual([]);
  },
);

test('reports skipped entries and an invalid ConfigMap as problems', () => {
  const config = readSettings({ watchContainerCredentialsConfig: '/ids', watchConfigMap: true });
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'pod-identity-webhook', namespace: 'eks' },
    data: { config: '{' },
  };
  const problemsOf = (objects: KubeObject[]) => podIdentity.problems?.(config, filesView(objects), NO_FILES);
  expect(problemsOf([])).toEqual([]);

  config.identities?.parse('{"identities": [null]}');
  expect(problemsOf([configMap])).toEqual([
    'file "/ids": identities[0] is skipped: expected "namespace" and "serviceAccount"',
    'ConfigMap "eks/pod-identity-webhook": key "config": invalid JSON',
  ]);
  expect(() => config.identities?.parse('{')).toThrow();
  expect(problemsOf([])).toEqual(['file "/ids": invalid, its previous content stays in effect']);
  config.identities?.parse(`{"identities": [${Array(100_000).fill('null').join()}]}`);
  expect(problemsOf([])).toHaveLength(21);
  config.identities?.parse(identities);
  expect(problemsOf([])).toEqual([]);
});

test('depends on the container-credentials file if one is configured', () => {
  expect(podIdentity.files?.(readSettings({}))).toEqual([]);
  expect(podIdentity.files?.(readSettings({ watchContainerCredentialsConfig: '/ids' }))).toMatchObject([
    { path: '/ids' },
  ]);
});

test('a second call with another uid keeps the lifetime of the first', () => {
  const config = readSettings({ watchContainerCredentialsConfig: '/ids' });
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config }]);
  const files = textFiles({ '/ids': identities });
  const run = (object: KubeObject, uid: string) =>
    runPipeline(pipeline, requestOf(object, uid), object, filesView([]), files);
  const object = pod({ serviceAccountName: 'reports', containers: [{ name: 'web', image: 'nginx' }] });

  const [first, other] = [run(object, '1'), run(object, '2')];
  if (!first.allowed || !other.allowed) throw new Error('expected both to be allowed');
  expect(first.object).not.toEqual(other.object);
  expect(run(first.object, '2')).toMatchObject({ patch: [], warnings: [] });
});

test('accepts containers without a name and a Pod without a spec, which the API server rejects', () => {
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config: readSettings({}) }]);
  for (const object of [pod({ serviceAccount: 'reports', containers: [{ image: 'nginx' }] }), pod({})]) {
    expect(runPipeline(pipeline, requestOf(object), object, filesView([serviceAccount]))).toMatchObject({
      allowed: true,
    });
  }
});

const long = 'x'.repeat(2 ** 20);
const occupied = { name: long, mountPath: '/var/run/secrets/eks.amazonaws.com/serviceaccount' };

test.each([
  ['a long account name', { serviceAccountName: long, containers: [{ name: 'web' }] }, {}],
  [
    'a container name and a volume name',
    { containers: [{ name: long, image: 'x', volumeMounts: [occupied] }] },
    {},
  ],
  [
    'mounts in many containers',
    {
      containers: Array.from({ length: 2000 }, (_, index) => ({
        name: `${index}`,
        image: 'x',
        volumeMounts: [{ ...occupied, name: 'other' }],
      })),
    },
    {},
  ],
  [
    'long names if it denies',
    { containers: [{ name: 'a', image: 'x', volumeMounts: [occupied] }] },
    { strict: true },
  ],
])('messages stay short: %s', (_, spec, raw) => {
  const object = pod({ serviceAccountName: 'reports', ...spec });
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config: readSettings(raw) }]);
  const outcome = runPipeline(pipeline, requestOf(object), object, filesView([serviceAccount]));
  const messages = outcome.allowed ? outcome.warnings : [outcome.reason];
  expect(messages.join().length).toBeGreaterThan(0);
  expect(messages.join().length).toBeLessThan(10_000);
});

test.each([
  ['env entries', { env: Array.from({ length: 40_000 }, (_, index) => ({ name: `E${index}` })) }, {}],
  ['slashes', { volumeMounts: [{ name: 'a', mountPath: `${'/'.repeat(3 * 2 ** 20)}x/` }] }, {}],
  ['names of containers to skip', {}, { 'eks.amazonaws.com/skip-containers': 'a,'.repeat(125 * 1024) }],
  ['quotes', {}, { 'eks.amazonaws.com/skip-containers': '"'.repeat(250 * 1024) }],
  ['zeros', {}, { 'eks.amazonaws.com/token-expiration': '0'.repeat(250 * 1024) }],
])('injects a Pod with as many %s as are read within five seconds', (_, container, annotations) => {
  const spec = { serviceAccountName: 'reports', containers: [{ name: 'web', image: 'nginx', ...container }] };
  const object = { ...pod(spec), metadata: { annotations } };
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config: readSettings({}) }]);
  const start = performance.now();
  const { allowed, trace } = runPipeline(pipeline, requestOf(object), object, filesView([serviceAccount]));
  expect(performance.now() - start).toBeLessThan(5000);
  expect([allowed, trace[0]?.decision]).toEqual([true, 'grafted']);
});

test('the answer for 2,000 containers stays below a kilobyte for each', () => {
  const containers = Array.from({ length: 2000 }, (_, index) => ({ name: `c${index}`, image: 'x' }));
  const object = pod({ serviceAccountName: 'reports', containers });
  const config = readSettings({ awsDefaultRegion: 'eu-central-1', stsRegionalEndpoint: true });
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config }]);
  const outcome = runPipeline(pipeline, requestOf(object), object, filesView([serviceAccount]));
  if (!outcome.allowed) throw new Error(outcome.reason);
  expect(JSON.stringify(outcome.patch).length).toBeLessThan(2_000_000);
});

test('a mount without a path is left to the API server, in a Pod and in a template', () => {
  const spec = {
    serviceAccountName: 'reports',
    containers: [{ name: 'web', image: 'nginx', volumeMounts: [{ name: 'a' }] }],
  };
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config: readSettings({}) }]);
  const object = pod(spec);
  expect(runPipeline(pipeline, requestOf(object), object, filesView([serviceAccount]))).toMatchObject({
    allowed: true,
    patch: [],
  });
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { template: { metadata: {}, spec } },
  };
  const options = { operation: 'CREATE', namespace: 'team-a', username: 'test' } as const;
  expect(runManifest(pipeline, deployment, options, filesView([serviceAccount])).patch).toEqual([]);
});
