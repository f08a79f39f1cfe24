import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { makeCa } from '../../src/certificates/issue-certificate.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { configWith, everyInjector, printed } from './installation.ts';
import { createNamespace } from './namespace.ts';
import { nginxDeployment, nginxPod } from './pods.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import { startWebhook, type WebhookFixture } from './webhook-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const quickstart = fileURLToPath(new URL('../../examples/quickstart/podgraft.yaml', import.meta.url));
/** On its own, it has one webhook per selection of Istio. */
const mesh = fileURLToPath(new URL('../../examples/istio/podgraft.yaml', import.meta.url));
const every = write('every.yaml', stringify(configWith(everyInjector())));
const caFile = write('ca.crt', makeCa({ commonName: 'test', days: 1, now: new Date() }).certificate);
const admission = '/apis/admissionregistration.k8s.io/v1';

describe('the output of podgraft manifests', () => {
  const plane = sharedControlPlane();
  const own = 'podgraft-manifests';
  // A dry run does not create the namespace for the following objects, and podgraft does not create Istio's.
  beforeAll(async () => {
    for (const name of [own, 'istio-system']) {
      const input = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
    }
  });

  it.each([
    ['self-managed TLS', []],
    ['a Secret provided by the user', ['--tls', 'secret', '--ca-bundle', caFile]],
    ['the final check, failing closed', ['--validate', '--fail-closed', '--timeout-seconds', '3']],
    ['some namespaces only', ['--only-namespaces', 'one,two', '--replicas', '3']],
    [
      'a server outside the cluster',
      ['--url', 'https://podgraft.example.com:8443', '--ca-bundle', caFile, '--validate'],
    ],
    ['custom resource definitions', ['--crds']],
  ])('is accepted by a dry run: %s', async (_, flags) => {
    for (const config of [quickstart, mesh, every]) {
      const input = await printed(config, '--namespace', own, ...flags);
      const applied = await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input });
      expect(applied).toMatchObject({ code: 0, stderr: '' });
      expect(applied.stdout.trimEnd().split('\n')).toHaveLength(objectsIn(input).length);
    }
  });

  // The definitions of cert-manager are not installed here: the expectations follow its documentation.
  it('contains a CA and a certificate for cert-manager; a dry run accepts everything else', async () => {
    const text = await printed(every, '--namespace', own, '--cert-manager', '--validate');
    const all = objectsIn(text);
    const isCertManagers = ({ apiVersion }: KubeObject) => apiVersion === 'cert-manager.io/v1';
    const input = { apiVersion: 'v1', kind: 'List', items: all.filter((object) => !isCertManagers(object)) };
    expect(await plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input })).toMatchObject({
      code: 0,
    });
    expect(all.filter(isCertManagers)).toMatchObject([
      { kind: 'Issuer', spec: { selfSigned: {} } },
      { kind: 'Certificate', spec: { isCA: true, secretName: 'podgraft-ca' } },
      { kind: 'Issuer', spec: { ca: { secretName: 'podgraft-ca' } } },
      {
        kind: 'Certificate',
        metadata: { name: 'podgraft', namespace: own },
        spec: { secretName: 'podgraft-tls', dnsNames: expect.arrayContaining([`podgraft.${own}.svc`]) },
      },
    ]);
    for (const { metadata } of all.filter(({ kind }) => kind.endsWith('WebhookConfiguration'))) {
      expect(metadata.annotations).toEqual({ 'cert-manager.io/inject-ca-from': `${own}/podgraft` });
    }
    const deployment = all.find(({ kind }) => kind === 'Deployment');
    expect(JSON.stringify(deployment)).toContain('--tls-dir=/etc/podgraft-tls');
  });

  it('changes nothing when it is applied again', async () => {
    const place = ['--name', 'again', '--namespace', 'podgraft-again', '--only-namespaces', 'nowhere'];
    const input = await printed(every, ...place, '--validate');
    try {
      expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0, stderr: '' });
      const { stdout } = await plane.kubectl(['apply', '-f', '-'], { input });
      const changed = stdout.split('\n').filter((line) => line !== '' && !line.endsWith(' unchanged'));
      // kubectl always sends the selector of a disruption budget, because it is replaced as a whole.
      expect(changed).toEqual(['poddisruptionbudget.policy/again configured']);
      expect(await plane.kubectl(['diff', '-f', '-'], { input })).toMatchObject({ code: 0, stdout: '' });
    } finally {
      await plane.kubectl(['delete', '--wait=false', '-f', '-'], { input });
    }
  });

  it('contains the same objects as JSON, in one List', async () => {
    const json = JSON.parse(await printed(every, '-o', 'json'));
    expect(json).toMatchObject({ apiVersion: 'v1', kind: 'List' });
    expect(json.items).toEqual(objectsIn(await printed(every)));
  });
});

describe('the applied output of podgraft manifests', () => {
  const plane = sharedControlPlane();
  const own = 'podgraft';
  const flags = ['--fail-closed', '--timeout-seconds', '1', '--only-namespaces', 'rolled-out', '--validate'];
  const apply = async (...more: string[]) =>
    plane.kubectl(['apply', '-f', '-'], { input: await printed(quickstart, ...more) });
  const createPod = (namespace: string) =>
    plane.request('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, nginxPod('some'));

  beforeAll(async () => {
    await createNamespace(plane, 'rolled-out');
    await createNamespace(plane, 'not-yet');
    expect(await apply(...flags)).toMatchObject({ code: 0, stderr: '' });
  });
  afterAll(async () => {
    const input = await printed(quickstart, ...flags);
    await plane.kubectl(['delete', '--wait=false', '-f', '-'], { input });
  });

  it('lets its own Pods start in a restricted namespace before any server answers', async () => {
    const { items } = await eventually('two Pods', async () => {
      const path = `/api/v1/namespaces/${own}/pods`;
      const found = accepted(await plane.request<{ items: KubeObject[] }>('GET', path));
      return found.items.length === 2 && found;
    });
    expect(items).toHaveLength(2);
    const preStop = { sleep: { seconds: 5 } };
    expect(items[0]).toMatchObject({ spec: { containers: [{ lifecycle: { preStop } }] } });
  });

  it('rejects Pods only in the rolled-out namespaces while failing closed', async () => {
    const refused = await eventually('the webhook counts', async () => {
      const answer = await createPod('rolled-out');
      return answer.status >= 300 && answer;
    });
    expect(JSON.stringify(refused.body)).toContain('pods.podgraft.dev');
    expect((await createPod('not-yet')).status).toBe(201);
    expect((await createPod('kube-system')).status).toBe(201);
  });

  it('keeps caBundle and certificates when changed manifests are applied', async () => {
    const name = `${admission}/mutatingwebhookconfigurations/podgraft`;
    const secret = `/api/v1/namespaces/${own}/secrets/podgraft-tls`;
    const caBundle = Buffer.from(makeCa({ commonName: 'x', days: 1, now: new Date() }).certificate);
    const value = caBundle.toString('base64');
    const patch = [0, 1].map((index) => ({
      op: 'add',
      path: `/webhooks/${index}/clientConfig/caBundle`,
      value,
    }));
    accepted(await plane.request('PATCH', name, patch, { contentType: 'application/json-patch+json' }));
    accepted(await plane.request('PATCH', secret, { data: { 'tls.crt': value } }));

    expect(await apply('--validate', '--only-namespaces', 'rolled-out,not-yet')).toMatchObject({ code: 0 });
    const { webhooks } = accepted(await plane.request<{ webhooks: Webhook[] }>('GET', name));
    expect(webhooks).toMatchObject([
      { failurePolicy: 'Ignore', clientConfig: { caBundle: value } },
      { failurePolicy: 'Ignore', clientConfig: { caBundle: value } },
    ]);
    expect(accepted(await plane.request('GET', secret))).toMatchObject({ data: { 'tls.crt': value } });
  });

  it('keeps the ConfigMap of the running Pods when the configuration changes', async () => {
    const path = `/api/v1/namespaces/${own}/configmaps?labelSelector=app.kubernetes.io/instance=podgraft`;
    const list = async () => accepted(await plane.request<{ items: ConfigMap[] }>('GET', path)).items;
    const before = await list();
    const text = `${readFileSync(quickstart, 'utf8')}\n# Changed.\n`;
    const input = await printed(write('changed.yaml', text), ...flags);
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
    const after = await list();
    expect(after).toHaveLength(before.length + 1);
    expect(after).toEqual(expect.arrayContaining(before));
    const added = after.find(({ metadata }) => before.every((old) => old.metadata.name !== metadata.name));
    expect(added).toMatchObject({ immutable: true, data: { 'podgraft.yaml': text } });
    const deployment = `/apis/apps/v1/namespaces/${own}/deployments/podgraft`;
    expect(accepted(await plane.request('GET', deployment))).toMatchObject({
      spec: { template: { spec: { volumes: [{ configMap: { name: added?.metadata.name } }] } } },
    });
    for (const { metadata } of after) {
      const place = `/api/v1/namespaces/${own}/configmaps/${metadata.name}`;
      const { status } = await plane.request('PATCH', place, { data: { 'podgraft.yaml': 'broken' } });
      expect(status).toBe(422);
    }
  });

  it('removes webhooks of kinds that are no longer configured', async () => {
    const stamp = [{ name: 'stamp', use: 'metadata', with: { labels: { a: 'b' } } }];
    const input = await printed(write('stamp.yaml', stringify(configWith(stamp))), ...flags);
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
    const path = `${admission}/mutatingwebhookconfigurations/podgraft`;
    expect(accepted(await plane.request('GET', path))).toMatchObject({
      webhooks: [{ name: 'pods.podgraft.dev', clientConfig: { caBundle: expect.any(String) } }],
    });
  });
});

type ConfigMap = KubeObject & { immutable?: boolean; data: Record<string, string> };
type Webhook = { failurePolicy: string; clientConfig: { caBundle?: string } };

describe('the API server calls podgraft for', () => {
  const plane = sharedControlPlane();
  const namespace = 'prod-called';
  let webhook: WebhookFixture;
  let input: string;

  const start = async (injectors: readonly object[]) => {
    webhook = await startWebhook(() => ({}));
    const ca = write('fixture-ca.crt', Buffer.from(webhook.caBundle, 'base64').toString());
    const config = write('called.yaml', stringify(configWith(injectors)));
    const only = `${namespace},called`;
    const flags = ['--name', 'called', '--url', webhook.url, '--ca-bundle', ca, '--only-namespaces', only];
    input = await printed(config, ...flags);
    expect(await plane.kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
    // The API server picks it up shortly afterwards.
    await eventually('the webhook is called', async () => {
      const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
      accepted(await plane.request('POST', path, nginxPod('probe')));
      return webhook.calls.length > 0;
    });
    webhook.calls.length = 0;
  };
  const stop = async () => {
    await plane.kubectl(['delete', '-f', '-'], { input });
    await webhook.stop();
  };
  const called = () => webhook.calls.map(({ operation, kind }) => `${operation} ${kind.kind}`);
  const send = async (path: string, body: object, method = 'POST') => {
    webhook.calls.length = 0;
    accepted(await plane.request(method, path, body));
    return called();
  };
  beforeAll(async () => {
    await createNamespace(plane, namespace);
    await createNamespace(plane, 'called');
  });

  it('objects that the injectors match, but not mirror pods or other namespaces', async () => {
    const replicas = { name: 'two', use: 'overlay', with: { overlay: { spec: { replicas: 2 } } } };
    const match = { kinds: ['Deployment'], operations: ['CREATE', 'UPDATE'], namespaces: ['prod-*'] };
    await start([
      { name: 'stamp', use: 'metadata', with: { labels: { a: 'b' } } },
      { ...replicas, match },
    ]);
    try {
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      expect(await send(pods, nginxPod('first'))).toEqual(['CREATE Pod']);
      expect(await send(`${pods}/first`, { metadata: { labels: { c: 'd' } } }, 'PATCH')).toEqual([]);
      expect(await send(pods, mirrorPod('static'))).toEqual([]);
      const deployments = (name: string) => `/apis/apps/v1/namespaces/${name}/deployments?dryRun=All`;
      expect(await send(deployments(namespace), nginxDeployment('web', 1))).toEqual(['CREATE Deployment']);
      expect(await send(deployments('called'), nginxDeployment('web', 1))).toEqual([]);
      expect(await send('/api/v1/namespaces/default/pods?dryRun=All', nginxPod('outside'))).toEqual([]);
    } finally {
      await stop();
    }
  });

  it('all objects if an injector matches all kinds, except leases, mirror pods and Pods on UPDATE', async () => {
    const match = { kinds: ['*'], operations: ['*'] };
    await start([{ name: 'stamp', use: 'metadata', with: { labels: { a: 'b' } }, match }]);
    try {
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      expect(await send(pods, nginxPod('second'))).toEqual(['CREATE Pod']);
      expect(await send(`${pods}/second`, { metadata: { labels: { c: 'd' } } }, 'PATCH')).toEqual([]);
      expect(await send(pods, mirrorPod('static-2'))).toEqual([]);
      expect(await send(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'm' } })).toEqual([
        'CREATE ConfigMap',
      ]);
      const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
      expect(await send(leases, { metadata: { name: 'l' } })).toEqual([]);
      const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
      expect(await send(reviews, { spec })).toEqual([]);
    } finally {
      await stop();
    }
  });
});

/** As the kubelet creates it: with a node, without a ServiceAccount. */
function mirrorPod(name: string) {
  const { metadata, spec } = nginxPod(name);
  const annotations = { 'kubernetes.io/config.mirror': 'hash' };
  return { metadata: { ...metadata, annotations }, spec: { ...spec, nodeName: 'node' } };
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function objectsIn(text: string): KubeObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}
