import { afterAll, beforeAll, expect, it } from 'vitest';
import { splitCertificates } from '../../src/certificates/read-certificate.ts';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { kubeconfigConnection } from '../../src/cluster/client/kubeconfig.ts';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { parseConfigText } from '../../src/config/load-config.ts';
import { selfManagedTls } from '../../src/registration/self-managed-tls.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { startMetrics } from '../../src/server/metrics/start-metrics.ts';
import { startServer } from '../../src/server/start-server.ts';
import { memoryLog } from '../server/fixtures.ts';
import { STAMP } from '../stamp.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { accepted } from './client.ts';
import { createPods } from './create-pods.ts';
import { createNamespace } from './namespace.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const namespace = 'rotation';
const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const SECOND = 1 / 86_400;
type Configuration = { webhooks: { clientConfig: { caBundle?: string } }[] };

let client: KubeClient;
let balancer: Balancer;
const replicas: Awaited<ReturnType<typeof startReplica>>[] = [];

/** The server as assembled by `serve`, but with certificates that expire after seconds. */
async function startReplica() {
  const { pipeline } = await parseConfigText(STAMP, 'test.yaml');
  const log = memoryLog();
  const tls = await selfManagedTls({
    client,
    namespace,
    secretName: 'podgraft-tls',
    serviceName: 'podgraft',
    webhookConfigurations: [{ kind: 'MutatingWebhookConfiguration', name: namespace }],
    extraNames: { ipAddresses: ['127.0.0.1'] },
    lifetimes: {
      caDays: 18 * SECOND,
      servingDays: 9 * SECOND,
      propagationMs: 1500,
      pollMs: 250,
      graceMs: 2000,
    },
    log,
  });
  const metrics = createMetrics(new Set(['Pod']));
  const server = await startServer({
    pipeline,
    cluster: filesView([]),
    port: 0,
    host: '127.0.0.1',
    tls,
    metrics,
    log,
  });
  const monitoring = await startMetrics({
    port: 0,
    host: '127.0.0.1',
    contentType: metrics.registry.contentType,
    metrics: () => metrics.registry.metrics(),
    notReady: server.notReady,
  });
  return { server, monitoring, log };
}

beforeAll(async () => {
  await createNamespace(plane, namespace);
  client = createClient(kubeconfigConnection({ path: plane.kubeconfig }));
  replicas.push(...(await Promise.all([startReplica(), startReplica()])));
  balancer = await startBalancer(
    replicas.map(({ server, monitoring }) => ({ port: server.port, metricsPort: monitoring.port })),
  );
  const webhook = {
    name: 'rotation.podgraft.test',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    clientConfig: { url: `https://127.0.0.1:${balancer.port}/mutate` },
  };
  accepted(
    await plane.request('POST', configurations, { metadata: { name: namespace }, webhooks: [webhook] }),
  );
});
afterAll(async () => {
  await plane.request('DELETE', `${configurations}/${namespace}`);
  await balancer?.stop();
  for (const { server, monitoring } of replicas) {
    monitoring.close();
    await server.drain();
  }
  client?.close();
});

const bundle = async () => {
  const { webhooks } = accepted(await plane.request<Configuration>('GET', `${configurations}/${namespace}`));
  return splitCertificates(Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString());
};

it('all of 2,000 creates by 8 clients succeed while CA and serving certificate are rotated twice', {
  timeout: 180_000,
}, async () => {
  await expect.poll(async () => (await bundle()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  const authorities = new Set<string>();
  let looking = true;
  const look = (async () => {
    while (looking) {
      for (const ca of await bundle()) authorities.add(ca);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  // The first CA and one for each rotation.
  const load = createPods(plane, namespace, 8, (count) => count >= 2000 && authorities.size >= 3);
  const { created, failures, uninjected } = await load;
  looking = false;
  await look;
  expect(failures).toEqual([]);
  expect(uninjected).toEqual([]);
  const reloads = replicas.map(
    ({ log }) => log.lines.filter((line) => line.includes('certificate reloaded')).length,
  );
  expect(Math.min(...reloads)).toBeGreaterThanOrEqual(2);
  console.log(
    `${created} creates through ${authorities.size} CAs and ${reloads.join(' and ')} reloads: 0 failed`,
  );
});
