import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { filebeat } from '../../src/injectors/filebeat/filebeat.ts';
import { valueAt } from '../../src/json/value-at.ts';
import type { Pod, PodTemplateSpec } from '../../src/kube/generated/types.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { podFromTemplate, templatePathOf } from '../../src/kube/workload.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { Request } from '../../src/sdk/request.ts';
import { readCases } from '../../src/testing/cases.ts';
import { accepted, type Client } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import {
  type ReviewAnswer,
  type ReviewRequest,
  startWebhook,
  type WebhookFixture,
} from './webhook-fixture.ts';

const casesFolder = new URL('../../src/injectors/filebeat/cases/', import.meta.url);
const example = (name: string) =>
  readFileSync(new URL(`../../examples/filebeat/${name}`, import.meta.url), 'utf8');

describe('Podgraft with the example for Filebeat', () => {
  const plane = sharedControlPlane();
  const namespace = 'filebeat';
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  let podgraft: Podgraft;
  let registered: Registered;

  beforeAll(async () => {
    await createNamespace(plane, namespace);
    podgraft = await startPodgraft(example('podgraft.yaml'));
    registered = await register(plane, namespace, podgraft.mutateUrl, podgraft.caBundle);
  });
  afterAll(async () => {
    await registered?.remove();
    await podgraft?.stop();
  });

  it('injects the sidecar into the Pods of the reference Deployment', async () => {
    const applied = await plane.kubectl(['apply', '-n', namespace, '-f', '-'], {
      input: example('nginx.yaml'),
    });
    expect(applied).toMatchObject({ code: 0, stdout: 'deployment.apps/nginx created\n' });
    const columns = [
      'name:.metadata.name',
      'containers_name:.spec.containers[*].name',
      'resources:.spec.containers[1].resources',
      'lifecycle:.spec.containers[1].lifecycle.preStop',
    ];
    const get = ['get', 'pods', '-l', 'app=nginx', '-o', `custom-columns=${columns.join(',')}`];
    const table = await eventually('the Pod of the Deployment', async () => {
      const { stdout } = await plane.kubectl([...get, '-n', namespace]);
      return stdout.includes('nginx-') && stdout;
    });
    console.log(`kubectl ${get.join(' ')}\n${table}`);
    const [header, row, ...more] = table
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(header).toEqual(['name', 'containers_name', 'resources', 'lifecycle']);
    expect(row).toEqual([
      expect.stringMatching(/^nginx-[a-z0-9]+-[a-z0-9]+$/),
      'nginx,filebeat',
      'map[limits:map[cpu:200m memory:256Mi] requests:map[cpu:200m memory:256Mi]]',
      'map[exec:map[command:[/bin/sh -c sleep 60]]]',
    ]);
    expect(more).toEqual([]);
  });

  it('injects a native sidecar into the Pods of a Job', async () => {
    const template = templateOf(example('nginx.yaml'));
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'report' },
      spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
    };
    accepted(await plane.request('POST', `/apis/batch/v1/namespaces/${namespace}/jobs`, job));
    const [pod] = await eventually('the Pod of the Job', async () => {
      const query = `${pods}?labelSelector=job-name%3Dreport`;
      const { items } = accepted(await plane.request<{ items: Pod[] }>('GET', query));
      return items.length === 1 && items;
    });
    expect(pod?.spec.containers).toMatchObject([{ name: 'nginx' }]);
    expect(pod?.spec.initContainers).toMatchObject([{ name: 'filebeat', restartPolicy: 'Always' }]);
  });

  it('shows the user the invalid annotation', async () => {
    const result = await plane.kubectl(['apply', '-n', namespace, '-f', '-'], {
      input: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'refused',
          annotations: { 'filebeat.enabled': 'true', 'filebeat.resources.limits.cpu': 'lots' },
        },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      },
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(
      'annotation "filebeat.resources.limits.cpu" is "lots", expected a quantity',
    );
  });
});

describe('the filebeat injector', () => {
  const plane = sharedControlPlane();
  const namespace = 'filebeat-cases';
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  let pipeline: Pipeline;
  let webhook: WebhookFixture;
  let registered: Registered;

  beforeAll(async () => {
    await createNamespace(plane, namespace);
    // Not the server above, because each case has its own configuration.
    webhook = await startWebhook((request) => answer(pipeline, request));
    registered = await register(plane, namespace, webhook.url, webhook.caBundle);
  });
  afterAll(async () => {
    await registered?.remove();
    await webhook?.stop();
  });

  it('changes nothing when the API server calls it again', async () => {
    pipeline = pipelineWith({});
    webhook.calls.length = 0;
    const pod = { metadata: { generateName: 'again-' }, spec: templateOf(example('nginx.yaml')).spec };
    const annotations = { 'filebeat.enabled': 'true' };
    accepted(await plane.request('POST', pods, { ...pod, metadata: { ...pod.metadata, annotations } }));
    // The ServiceAccount plugin mounts its token into the new container, so that the webhook is called again.
    const [first, second, ...more] = webhook.calls.map((request) => answer(pipeline, request).patch);
    expect(first).not.toHaveLength(0);
    expect(second).toBeUndefined();
    expect(more).toEqual([]);
  });

  // The API server rejects annotations that are numbers and incomplete owners; a StatefulSet's volumes are added by its controller.
  const elsewhere = ['unquoted-annotation', 'owner-without-api-version', 'statefulset'];
  const cases = readCases(casesFolder).filter(({ name }) => !elsewhere.includes(name));
  it.each(cases.map((each) => [each.name, each] as const))(
    'the API server accepts case %s',
    async (_, each) => {
      pipeline = pipelineWith(each.settings.with);
      const outcomes = [parse(readFileSync(each.golden, 'utf8'))].flat();
      for (const [index, object] of each.objects.entries()) {
        const { status, body } = await plane.request('POST', `${pods}?dryRun=All`, podOf(object));
        expect({ status, body }).toMatchObject({ status: outcomes[index].decision === 'denied' ? 403 : 201 });
      }
    },
  );

  /** As a controller would create it: its owner has a uid. */
  function podOf(object: KubeObject): object {
    const path = templatePathOf(object);
    if (path === undefined) return { ...object, metadata: { ...object.metadata, namespace } };
    const template = valueAt(asJson(object), path) as unknown as PodTemplateSpec;
    const { metadata, ...pod } = podFromTemplate(object, template);
    const ownerReferences = metadata.ownerReferences?.map((owner) => ({ ...owner, uid: 'some-uid' }));
    return { ...pod, metadata: { ...metadata, ownerReferences } };
  }
});

function register(plane: Client, namespace: string, url: string, caBundle: string): Promise<Registered> {
  return registerMutating(plane, {
    name: namespace,
    url,
    caBundle,
    reinvocationPolicy: 'IfNeeded',
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  });
}

function pipelineWith(raw: unknown): Pipeline {
  return createPipeline([{ name: 'filebeat', injector: filebeat, config: filebeat.config?.(raw) }]);
}

function answer(pipeline: Pipeline, { object, ...request }: ReviewRequest): ReviewAnswer {
  // The fixture passes on the request as the API server sent it.
  const complete = { subResource: '', name: '', ...request } as unknown as Request;
  const outcome = runPipeline(pipeline, complete, object as KubeObject, filesView([]));
  if (!outcome.allowed) return { allowed: false, status: { code: 403, message: outcome.reason } };
  const { patch, warnings } = outcome;
  return { warnings, ...(patch.length > 0 && { patch }) };
}

function templateOf(deployment: string): PodTemplateSpec {
  return parse(deployment).spec.template;
}
