import { describe, expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import { applyPatch } from '../json/apply-patch.ts';
import type { JsonObject } from '../json/json.ts';
import { withDefaults } from '../kube/api-defaults.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { createPipeline } from './pipeline.ts';
import { runManifest } from './run-manifest.ts';

const pipelineOf = (content: JsonObject, kind = 'Pod') => {
  const config = overlay.config?.({ overlay: content });
  return createPipeline([{ name: 'house', injector: overlay, config, match: { kinds: [kind] } }]);
};
const request = { operation: 'CREATE', namespace: 'shop', username: 'me', defaults: true } as const;
const run = (object: KubeObject, content: JsonObject, kind?: string) => {
  const result = runManifest(pipelineOf(content, kind), object, request, filesView([]));
  // The patch is for the object in the file, and gives the object.
  expect(applyPatch(asJson(object), result.patch)).toEqual(result.object);
  const kept = result.parts.flatMap(({ outcome }) =>
    outcome.trace.flatMap((step) => (step.decision === 'grafted' ? step.kept : [])),
  );
  return { ...result, kept };
};
const pod = (spec: JsonObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec,
});
const container = { name: 'web', image: 'nginx:1.27' };
const every = (fields: JsonObject) => ({ spec: { containers: [{ name: '*', ...fields }] } });

describe('with the defaults of the API server', () => {
  test('a value that the API server has filled in is kept, as on a cluster', () => {
    const object = pod({ containers: [container] });
    const { kept, ...result } = run(object, every({ imagePullPolicy: 'Always' }));
    expect(kept).toEqual([
      {
        path: '/spec/containers/0/imagePullPolicy',
        found: 'IfNotPresent',
        wanted: 'Always',
        isDefault: true,
      },
    ]);
    expect(result.object).toEqual(object);
    expect(result.patch).toEqual([]);
  });

  test("the author's value is not a default", () => {
    const object = pod({ containers: [{ ...container, imagePullPolicy: 'Never' }] });
    const { kept } = run(object, every({ imagePullPolicy: 'Always' }));
    expect(kept).toEqual([{ path: '/spec/containers/0/imagePullPolicy', found: 'Never', wanted: 'Always' }]);
  });

  test('a default is known as such behind an inserted container', () => {
    const object = pod({ containers: [container] });
    const { kept } = run(object, {
      spec: {
        containers: [
          { name: 'proxy', image: 'proxy', $at: 'first' },
          { name: 'web', imagePullPolicy: 'Always' },
        ],
      },
    });
    expect(kept).toMatchObject([{ wanted: 'Always', isDefault: true }]);
  });

  test('a forced value is printed, without the other defaults', () => {
    const { object } = run(
      pod({ containers: [container] }),
      every({ imagePullPolicy: { $force: 'Always' } }),
    );
    expect(object.spec).toEqual({ containers: [{ ...container, imagePullPolicy: 'Always' }] });
  });

  test('a map that exists only by default is added', () => {
    const requests = { cpu: '100m' };
    const { object, patch } = run(pod({ containers: [container] }), every({ resources: { requests } }));
    expect(object.spec).toEqual({ containers: [{ ...container, resources: { requests } }] });
    expect(patch).toEqual([{ op: 'add', path: '/spec/containers/0/resources', value: { requests } }]);
  });

  test('a request that follows a limit is kept', () => {
    const limits = { cpu: '1', memory: '1Gi' };
    const object = pod({ containers: [{ ...container, resources: { limits } }] });
    const { kept, ...result } = run(object, every({ resources: { requests: { cpu: '100m' } } }));
    expect(kept).toMatchObject([{ found: '1', wanted: '100m', isDefault: true }]);
    expect(result.patch).toEqual([]);
  });

  test('a default that would now be another one is printed', () => {
    const { object } = run(
      pod({ containers: [{ ...container, resources: { limits: { cpu: '1' } } }] }),
      every({ image: { $force: 'nginx:latest' }, resources: { limits: { cpu: { $force: '2' } } } }),
    );
    expect(object.spec).toEqual({
      containers: [
        {
          name: 'web',
          image: 'nginx:latest',
          imagePullPolicy: 'IfNotPresent',
          resources: { limits: { cpu: '2' }, requests: { cpu: '1' } },
        },
      ],
    });
  });

  test('a workload has its own defaults, and its template those of a template', () => {
    const template = { spec: { containers: [{ ...container, resources: { limits: { cpu: '1' } } }] } };
    const deployment: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { template },
    };
    const { kept, object } = run(
      deployment,
      {
        spec: {
          replicas: 2,
          template: {
            spec: {
              dnsPolicy: 'Default',
              containers: [{ name: '*', resources: { requests: { cpu: '100m' } } }],
            },
          },
        },
      },
      'Deployment',
    );
    expect(kept).toMatchObject([
      { path: '/spec/replicas', found: 1, isDefault: true },
      { path: '/spec/template/spec/dnsPolicy', found: 'ClusterFirst', isDefault: true },
    ]);
    const resources = { limits: { cpu: '1' }, requests: { cpu: '100m' } };
    expect(object.spec).toEqual({ template: { spec: { containers: [{ ...container, resources }] } } });
  });

  test('the Pods of a workload get the defaults of Pods', () => {
    const job: KubeObject = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
    };
    const { kept, object } = run(job, {
      metadata: { labels: { team: 'a' } },
      spec: { serviceAccountName: 'house', enableServiceLinks: false },
    });
    expect(kept).toMatchObject([
      { path: '/spec/serviceAccountName', found: 'default', isDefault: true },
      { path: '/spec/enableServiceLinks', found: true, isDefault: true },
    ]);
    expect(object.spec).toEqual({
      template: {
        metadata: { labels: { team: 'a' } },
        spec: { restartPolicy: 'Never', containers: [container] },
      },
    });
  });

  test('an item that was written with an empty field keeps it', () => {
    const object = pod({ containers: [{ ...container, imagePullPolicy: '' }], volumes: [{ name: 'v' }] });
    const result = run(object, { spec: { volumes: [{ name: 'w' }] } });
    expect(result.object.spec).toEqual({
      containers: [{ ...container, imagePullPolicy: '' }],
      volumes: [{ name: 'v' }, { name: 'w' }],
    });
    expect(asJson(withDefaults(result.object)).spec).toMatchObject({
      containers: [{ imagePullPolicy: 'IfNotPresent' }],
    });
  });

  test('a Service keeps the type that the API server sets, and is printed as it was', () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    };
    const filled = run(service, { spec: { type: 'NodePort' } }, 'Service');
    expect(filled.object).toBe(service);
    expect(filled.kept).toMatchObject([{ path: '/spec/type', found: 'ClusterIP', isDefault: true }]);
    const forced = run(service, { spec: { type: { $force: 'NodePort' } } }, 'Service');
    expect(forced.object.spec).toEqual({ type: 'NodePort', ports: [{ port: 80 }] });
  });

  test("a Job that gets a label keeps those of its Pods, and a policy's types are not printed", () => {
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template } };
    const labels = { metadata: { labels: { team: 'b' } } };
    expect(run(job, labels, 'Job').object).toEqual({
      ...job,
      metadata: { name: 'j', labels: { app: 'a', team: 'b' } },
    });
    const policy = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'n' },
      spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] },
    };
    expect(run(policy, labels, 'NetworkPolicy').object).toEqual({
      ...policy,
      metadata: { name: 'n', labels: { team: 'b' } },
    });
  });
});

test.each([undefined, null, {}, [], 'x'])(
  'a template whose metadata is %j does not end in an exception',
  (metadata) => {
    const template = { metadata, spec: { containers: [container] } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template } };
    run(job as unknown as KubeObject, { metadata: { labels: { a: 'b' } } });
  },
);
