import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { kubeconfigConnection } from '../../src/cluster/client/kubeconfig.ts';
import { createLiveView, type LiveView } from '../../src/cluster/views/live-view.ts';
import { opentelemetry } from '../../src/injectors/opentelemetry/opentelemetry.ts';
import { INSTRUMENTATION } from '../../src/injectors/opentelemetry/resources/instrumentation.ts';
import type { Pod } from '../../src/kube/generated/types.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { builtin } from '../../src/kube/resource.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { Request } from '../../src/sdk/request.ts';
import { readCases } from '../../src/testing/cases.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { nginxDeployment, nginxPod } from './pods.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import {
  type ReviewAnswer,
  type ReviewRequest,
  startWebhook,
  type WebhookFixture,
} from './webhook-fixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const INJECT = 'instrumentation.opentelemetry.io/inject';

describe('the opentelemetry injector', () => {
  const plane = sharedControlPlane();
  const namespace = 'opentelemetry';
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const instrumentations = `/apis/opentelemetry.io/v1alpha1/namespaces/${namespace}/instrumentations`;
  const definitions = opentelemetry.crds?.() ?? [];
  const answers: ReviewAnswer[] = [];
  const watch = new AbortController();

  let client: KubeClient;
  let view: LiveView;
  let webhook: WebhookFixture;
  let registered: Registered;

  beforeAll(async () => {
    for (const definition of definitions) {
      accepted(await plane.request('POST', DEFINITIONS, definition));
    }
    await createNamespace(plane, namespace);
    await eventually('the definitions are served', async () => {
      const served = await plane.request('GET', instrumentations);
      return served.status === 200;
    });
    client = createClient(kubeconfigConnection({ path: plane.kubeconfig }));
    const config = opentelemetry.config?.({}) ?? expect.fail('no config');
    const pipeline = createPipeline([{ name: 'opentelemetry', injector: opentelemetry, config }]);
    view = createLiveView({ client, reads: pipeline.stages.flatMap(({ reads }) => reads) });
    void view.start(watch.signal);
    await eventually('the view is synced', () => view.synced().synced);

    webhook = await startWebhook((request) => {
      const answer = answerOf(pipeline, request, view);
      answers.push(answer);
      return answer;
    });
    const { url, caBundle } = webhook;
    registered = await registerMutating(plane, {
      name: 'opentelemetry',
      url,
      caBundle,
      reinvocationPolicy: 'IfNeeded',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    });
  });
  beforeEach(() => {
    answers.length = 0;
  });
  afterAll(async () => {
    await registered?.remove();
    await webhook?.stop();
    watch.abort();
    client?.close();
    for (const { metadata } of definitions) {
      await plane.request('DELETE', `${DEFINITIONS}/${metadata.name}`);
    }
  });

  const createInstrumentation = async (name: string, spec: object) => {
    const { apiVersion, kind } = { apiVersion: 'opentelemetry.io/v1alpha1', kind: 'Instrumentation' };
    accepted(await plane.request('POST', instrumentations, { apiVersion, kind, metadata: { name }, spec }));
    await eventually('the view contains it', () => view.get(INSTRUMENTATION, namespace, name));
  };
  const annotated = (name: string, annotations: Record<string, string>) => {
    const pod = nginxPod(name);
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  };

  it.each(injectedPods())('creates a Pod that the API server accepts: case %s', async (_, pod) => {
    const metadata = { ...pod.metadata, namespace };
    accepted(await plane.request('POST', `${pods}?dryRun=All`, { ...pod, metadata }));
  });

  it.each([
    ['an unknown sampler', { sampler: { type: 'sometimes' } }, 'Unsupported value: "sometimes"'],
    [
      'two kinds of volume',
      { java: { volumeClaimTemplate: {}, volumeLimitSize: '1Gi' } },
      'are mutually exclusive',
    ],
    ['a path with a quote', { nginx: { configFile: "/etc/'" } }, 'should match'],
  ])('has a definition that rejects %s', async (_, spec, message) => {
    const resource = {
      apiVersion: 'opentelemetry.io/v1alpha1',
      kind: 'Instrumentation',
      metadata: { name: 'bad' },
      spec,
    };
    const { status, body } = await plane.request<{ message: string }>('POST', instrumentations, resource);
    expect(status).toBe(422);
    expect(body.message).toContain(message);
  });

  it('warns about a missing Instrumentation and admits the Pod', async () => {
    const pod = annotated('bare', { [`${INJECT}-java`]: 'nowhere' });
    const result = await plane.kubectl(['apply', '-n', namespace, '-f', '-'], { input: pod });
    expect(result).toEqual({
      code: 0,
      stdout: 'pod/bare created\n',
      stderr: `Warning: cannot inject java: Instrumentation "nowhere" not found in namespace "${namespace}"\n`,
    });
    expect(answers).toEqual([{ warnings: [expect.stringContaining('nowhere')] }]);
  });

  it('instruments the Pods of a Deployment in an annotated namespace', async () => {
    await createInstrumentation('house', {
      exporter: { endpoint: 'http://collector:4318' },
      resource: { addK8sUIDAttributes: true },
    });
    const annotation = { metadata: { annotations: { [`${INJECT}-java`]: 'house' } } };
    accepted(await plane.request('PATCH', `/api/v1/namespaces/${namespace}`, annotation));
    await eventually('the view contains the annotation', () => {
      const found = view.get(builtin('Namespace'), undefined, namespace);
      return found?.metadata.annotations?.[`${INJECT}-java`] === 'house';
    });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    accepted(await plane.request('POST', path, nginxDeployment('web', 1)));
    const pod = await eventually('the Pod', async () => {
      const { items } = accepted(
        await plane.request<{ items: Pod[] }>('GET', `${pods}?labelSelector=app%3Dweb`),
      );
      return items[0];
    });
    expect(pod.spec?.initContainers).toMatchObject([{ name: 'opentelemetry-auto-instrumentation-java' }]);
    const env = pod.spec?.containers[0]?.env ?? [];
    expect(env.slice(0, 4).map(({ name }) => name)).toEqual([
      'OTEL_NODE_IP',
      'OTEL_POD_IP',
      'JAVA_TOOL_OPTIONS',
      'OTEL_SERVICE_NAME',
    ]);
    expect(env).toContainEqual({ name: 'OTEL_SERVICE_NAME', value: 'web' });
    expect(env.at(-1)?.value).toMatch(/k8s\.deployment\.name=web,.*k8s\.replicaset\.name=web-/);
    const [owner] = pod.metadata?.ownerReferences ?? [];
    const held = view.get(builtin('ReplicaSet'), namespace, owner?.name ?? '');
    expect(Object.keys(held ?? {})).toEqual(['apiVersion', 'kind', 'metadata']);
    // The API server calls it again because of its own init container.
    expect(answers.map(({ patch }) => patch !== undefined)).toEqual([true, false]);
  });

  it('keeps its choice of container when another webhook adds a proxy in front', async () => {
    const mesh = await startWebhook(({ object }) => {
      const { containers } = (object as Pod).spec ?? { containers: [] };
      if (containers.some(({ name }) => name === 'mesh')) return {};
      const value = { name: 'mesh', image: 'mesh', env: [{ name: 'A', value: 'b' }] };
      return { patch: [{ op: 'add', path: '/spec/containers/0', value }] };
    });
    const { url, caBundle } = mesh;
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    // The API server calls webhooks in alphabetical order, so this one comes second.
    const second = await registerMutating(plane, { name: 'the-mesh', url, caBundle, namespaceSelector });
    try {
      const pod = annotated('meshed', { [`${INJECT}-python`]: 'house', [`${INJECT}-java`]: 'false' });
      const stored = accepted(await plane.request<Pod>('POST', pods, pod));
      const [proxy, app] = stored.spec?.containers ?? [];
      expect(proxy).toMatchObject({ name: 'mesh', env: [{ name: 'A', value: 'b' }] });
      expect(app?.env?.map(({ name }) => name)).toContain('PYTHONPATH');
      expect(answers.map(({ patch }) => patch !== undefined)).toEqual([true, false]);
    } finally {
      await second.remove();
      await mesh.stop();
    }
  });
});

/** The results of the injector's cases. */
function injectedPods(): [string, KubeObject][] {
  const folder = new URL('../../src/injectors/opentelemetry/cases/', import.meta.url);
  return readCases(folder).flatMap(({ name, golden }) => {
    const results = [parse(readFileSync(golden, 'utf8'))].flat() as { object?: KubeObject }[];
    return results.flatMap(({ object }): [string, KubeObject][] =>
      object?.kind === 'Pod' ? [[name, object]] : [],
    );
  });
}

function answerOf(pipeline: Pipeline, review: ReviewRequest, view: LiveView): ReviewAnswer {
  const object = review.object as KubeObject;
  const request = { subResource: '', ...review } as unknown as Request;
  const outcome = runPipeline(pipeline, request, object, view);
  if (!outcome.allowed) return { allowed: false, status: { message: outcome.reason } };
  const { patch, warnings } = outcome;
  return { warnings, ...(patch.length > 0 && { patch }) };
}
