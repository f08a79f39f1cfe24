import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../src/kube/generated/types.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - name: mesh
    use: istio
    with: {revision: canary, namespace: mesh-system, checkSelectors: true, nativeSidecars: false}
`;

const template = (tag: string) => `
spec:
  initContainers:
  - name: istio-init
    image: proxy:${tag}
    args: [-u, "{{ .ProxyUID }}"]
  containers:
  - name: istio-proxy
    image: proxy:${tag}
    env:
    - name: ISTIO_META_POD_PORTS
      value: '[{{ range .Spec.Containers }}{{ range .Ports }}{{ structToJSON . }}{{ end }}{{ end }}]'
  volumes:
  - {name: socket, emptyDir: }
`;

describe('the istio injector', () => {
  const plane = sharedControlPlane();
  const maps = '/api/v1/namespaces/mesh-system/configmaps';
  const pods = '/api/v1/namespaces/istio-shop/pods';
  let podgraft: Podgraft;
  let registered: Registered;

  const configMap = (name: string, data: object) => ({ metadata: { name, namespace: 'mesh-system' }, data });
  const injectorMap = (text: string) =>
    configMap('istio-sidecar-injector-canary', {
      config: JSON.stringify({ policy: 'enabled', templates: { sidecar: text } }),
      values: JSON.stringify({ sidecarInjectorWebhook: { rewriteAppHTTPProbe: true } }),
    });
  const putTemplate = async (text: string) =>
    accepted(await plane.request('PUT', `${maps}/istio-sidecar-injector-canary`, injectorMap(text)));
  const web = {
    name: 'web',
    image: 'nginx',
    ports: [{ containerPort: 80, name: 'http' }],
    readinessProbe: { httpGet: { port: 'http' } },
  };
  const postPod = (containers: object[] = [web]) =>
    plane.request<Pod>('POST', pods, { metadata: { generateName: 'web-' }, spec: { containers } });
  const createPod = async (containers?: object[]) => accepted(await postPod(containers));
  const imageOf = (pod: Pod) => pod.spec?.containers.find(({ name }) => name === 'istio-proxy')?.image;

  beforeAll(async () => {
    await createNamespace(plane, 'mesh-system');
    await createNamespace(plane, 'istio-shop', { 'istio.io/rev': 'canary' });
    accepted(await plane.request('POST', maps, injectorMap(template('1'))));
    accepted(await plane.request('POST', maps, configMap('istio-canary', { mesh: 'trustDomain: example' })));
    podgraft = await startPodgraft(CONFIG, { cluster: plane });
    registered = await registerMutating(plane, {
      name: 'istio-canary',
      // As in Istio's own webhook configurations.
      url: podgraft.mutateUrl.replace('/mutate', '/inject/cluster/east/net/one'),
      caBundle: podgraft.caBundle,
      reinvocationPolicy: 'IfNeeded',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'istio-shop' } },
    });
  });
  afterAll(async () => {
    await registered?.remove();
    await podgraft?.stop();
  });

  it('reports an invalid ConfigMap before the first Pod, until it is fixed', async () => {
    const readiness = async () => {
      const answer = await fetch(`http://127.0.0.1:${podgraft.process.metricsPort}/readyz`);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await readiness()).toEqual({ status: 200, text: 'ok\n' });
    await putTemplate('spec:\n  x: {{ .NoSuchField }}');
    const broken = await eventually('the broken template in /readyz', async () => {
      const now = await readiness();
      return now.text !== 'ok\n' && now;
    });
    expect(broken.status).toBe(200);
    expect(broken.text).toContain('mesh: ');
    expect(broken.text).toContain('template: sidecar:2:');
    expect(broken.text).toContain('the last good configuration stays');
    expect(await podgraft.metrics()).toContain('podgraft_injector_problems{injector="mesh"} 1');
    await eventually('the log', async () => podgraft.process.output().includes('injectors have problems'));
    await putTemplate(template('1'));
    await eventually('that it is gone', async () => (await readiness()).text === 'ok\n');
    expect(await podgraft.metrics()).toContain('podgraft_injector_problems{injector="mesh"} 0');
  });

  it('injects the proxy into Pods of a labelled namespace', async () => {
    const pod = await createPod();
    expect(pod.spec?.initContainers?.map(({ name }) => name)).toEqual(['istio-init']);
    expect(pod.spec?.containers.map(({ name }) => name)).toEqual(['web', 'istio-proxy']);
    expect(pod.spec?.containers[0]?.readinessProbe?.httpGet).toMatchObject({
      path: '/app-health/web/readyz',
      port: 15020,
    });
    expect(pod.metadata?.labels).toMatchObject({ 'topology.istio.io/network': 'one' });
    expect(pod.spec?.containers[1]?.env).toContainEqual({ name: 'ISTIO_META_CLUSTER_ID', value: 'east' });
    expect(pod.spec?.volumes?.find(({ name }) => name === 'socket')).toEqual({
      name: 'socket',
      emptyDir: {},
    });
  });

  it("keeps the user's settings for the proxy when it is called again", async () => {
    const own = {
      name: 'istio-proxy',
      image: 'auto',
      resources: { limits: { cpu: '1500m' } },
      env: [{ name: 'MINE', value: '1' }],
    };
    const pod = await createPod([own, { name: 'web', image: 'nginx' }]);
    const { labels, annotations } = pod.metadata ?? {};
    const metadata = { name: 'again', labels, annotations };
    const again = accepted(await plane.request<Pod>('POST', pods, { metadata, spec: pod.spec }));
    const proxy = ({ spec }: Pod) => spec?.containers.find(({ name }) => name === 'istio-proxy');
    expect(proxy(pod)).toMatchObject({ image: 'proxy:1', resources: { limits: { cpu: '1500m' } } });
    expect(proxy(again)).toEqual(proxy(pod));
  });

  it('uses a changed ConfigMap without a restart, but not an invalid one', async () => {
    await putTemplate(template('2'));
    await eventually('the new template', async () => imageOf(await createPod()) === 'proxy:2');
    await putTemplate('{{ noSuchFunction . }}');
    const answer = await eventually('the warning of the broken template', async () => {
      const sent = await postPod();
      return String(sent.headers.warning).includes('noSuchFunction') && sent;
    });
    expect(imageOf(accepted(answer))).toBe('proxy:2');
    await putTemplate(template('3'));
    await eventually('the repaired template', async () => imageOf(await createPod()) === 'proxy:3');
  });
});
