import { expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import type { JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { createPipeline } from './pipeline.ts';
import { resultProblems } from './result-problems.ts';
import { requestFor, runManifest } from './run-manifest.ts';
import { runPipeline } from './run-pipeline.ts';

const pipelineOf = (...overlays: JsonObject[]) =>
  createPipeline(
    overlays.map((content, at) => ({
      name: `house-${at + 1}`,
      injector: overlay,
      config: overlay.config?.({ overlay: content }),
    })),
  );
const request = { operation: 'CREATE', namespace: 'shop', username: 'me' } as const;
const problemsOf = (object: KubeObject, ...overlays: JsonObject[]) => {
  const outcome = runPipeline(pipelineOf(...overlays), requestFor(object, request), object, filesView([]));
  return resultProblems(object, outcome);
};
const podOf = (...containers: JsonObject[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: containers.map((each) => ({ image: 'nginx', ...each })) },
});
const http = { name: 'http', containerPort: 8080 };

test('names the injector whose change made the Pod invalid', () => {
  const pod = podOf({ name: 'web', ports: [{ name: 'http', containerPort: 80 }] });
  const harmless = { metadata: { labels: { team: 'a' } } };
  const ports = { spec: { containers: [{ name: '*', ports: [http] }] } };
  expect(problemsOf(pod, harmless, ports, { metadata: { labels: { tier: 'b' } } })).toEqual([
    {
      path: '/spec/containers/0/ports/1/name',
      message: 'container "web": duplicate port name "http"',
      injector: 'house-2',
    },
  ]);
});

test('a problem that the Pod had before has no injector, also behind an inserted container', () => {
  const pod = podOf({ name: 'web', ports: [http, { name: 'http', containerPort: 81 }] });
  const first = { spec: { containers: [{ name: 'proxy', image: 'proxy', $at: 'first' }] } };
  expect(problemsOf(pod, first)).toEqual([
    {
      path: '/spec/containers/1/ports/1/name',
      message: 'container "web": duplicate port name "http"',
    },
  ]);
});

test('the same problem in another container is a new one', () => {
  const pod = podOf({ name: 'a', volumeMounts: [{ name: 'nowhere', mountPath: '/x' }] }, { name: 'b' });
  const mount = {
    spec: { containers: [{ name: '*', volumeMounts: [{ name: 'nowhere', mountPath: '/x' }] }] },
  };
  expect(problemsOf(pod, mount)).toMatchObject([
    { path: '/spec/containers/0/volumeMounts/0/name' },
    { path: '/spec/containers/1/volumeMounts/0/name', injector: 'house-1' },
  ]);
});

test('the injector that removes a volume makes its mounts invalid', () => {
  const volumes = [{ name: 'v', emptyDir: {} }];
  const pod = { ...podOf({ name: 'web' }), spec: { volumes, containers: [{ name: 'web', image: 'nginx' }] } };
  const mount = { spec: { containers: [{ name: '*', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] } };
  const removal = { spec: { volumes: [{ $absent: { name: 'v' } }] } };
  expect(problemsOf(pod, mount, removal)).toMatchObject([
    { path: '/spec/containers/0/volumeMounts/0/name', injector: 'house-2' },
  ]);
});

test("the volumes of a StatefulSet's claim templates may be mounted", () => {
  const spec = { containers: [{ name: 'db', image: 'db' }] };
  const set: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 's' },
    spec: { template: { spec }, volumeClaimTemplates: [{ metadata: { name: 'data' } }] },
  };
  const mounting = (name: string) =>
    pipelineOf({ spec: { containers: [{ name: '*', volumeMounts: [{ name, mountPath: '/x' }] }] } });
  const problems = (name: string) =>
    runManifest(mounting(name), set, { ...request, defaults: true }, filesView([])).parts.flatMap(
      (part) => part.problems,
    );
  expect(problems('data')).toEqual([]);
  expect(problems('other')).toMatchObject([{ injector: 'house-1' }]);
});
