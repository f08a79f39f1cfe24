import { expect, test } from 'vitest';
import { filesView } from '../../cluster/files-view.ts';
import { textFiles } from '../../cluster/text-files.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { runPipeline } from '../../pipeline/run.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
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

test('needs the ServiceAccount that the Pod names, or would get, and the ConfigMap where it is watched', () => {
  const named = requestOf(pod({ serviceAccountName: 'reports' }));
  const unnamed = requestOf(pod({}));
  const names = (request: typeof named, raw: object) =>
    podIdentity
      .needs?.(request, readSettings(raw))
      .map(({ ref, namespace, name }) => [ref.kind, namespace, name]);
  expect(names(named, {})).toEqual([['ServiceAccount', 'team-a', 'reports']]);
  expect(names(unnamed, { watchConfigMap: true, namespace: 'aws' })).toEqual([
    ['ServiceAccount', 'team-a', 'default'],
    ['ConfigMap', 'aws', 'pod-identity-webhook'],
  ]);
});

test('depends on the container-credentials file where one is named', () => {
  expect(podIdentity.files?.(readSettings({}))).toEqual([]);
  expect(podIdentity.files?.(readSettings({ watchContainerCredentialsConfig: '/ids' }))).toMatchObject([
    { path: '/ids' },
  ]);
});

test('a second call, which has another uid, keeps the lifetime that the first has chosen', () => {
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

test('leaves containers without a name, and a Pod without a spec, to the API server', () => {
  const pipeline = createPipeline([{ name: 'aws', injector: podIdentity, config: readSettings({}) }]);
  for (const object of [pod({ serviceAccount: 'reports', containers: [{ image: 'nginx' }] }), pod({})]) {
    expect(runPipeline(pipeline, requestOf(object), object, filesView([serviceAccount]))).toMatchObject({
      allowed: true,
    });
  }
});
