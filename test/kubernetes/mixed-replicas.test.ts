import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts } from '../../src/control-plane/free-ports.ts';
import { STAMP } from '../stamp.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { createPods } from './create-pods.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { nginxPod } from './pods.ts';
import { type Registered, registerMutating, registerValidating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';
import { startWebhook } from './webhook-fixture.ts';

// In the middle of a rolling update: two replicas behind one balancer, and the configuration of one is newer.
const OLDER = `${STAMP}  - {name: tier, use: metadata, with: {annotations: {tier: old}}}\n`;
const NEWER = `${STAMP}  - {name: tier, use: metadata, with: {annotations: {tier: new}}}
  - {name: extra, use: metadata, with: {annotations: {extra: new}, labels: {extra: new}}}
`;

const plane = sharedControlPlane();
const namespace = 'mixed-replicas';
const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
let folder: string;
let balancer: Balancer;
let caBundle: string;
const servers: Podgraft[] = [];
const registrations: Registered[] = [];

beforeAll(async () => {
  await createNamespace(plane, namespace);
  folder = await mkdtemp(join(tmpdir(), 'podgraft-mixed-'));
  const certificates: Certificates = await makeCertificates(folder);
  caBundle = Buffer.from(certificates.ca).toString('base64');
  const [a = 0, b = 0, c = 0, d = 0] = await freePorts(4);
  const ports = [
    { port: a, metricsPort: b },
    { port: c, metricsPort: d },
  ];
  for (const [index, config] of [OLDER, NEWER].entries()) {
    const { port = 0, metricsPort = 0 } = ports[index] ?? {};
    const args = ['--validate', '--metrics-port', String(metricsPort)];
    servers.push(await startPodgraft(config, { cluster: plane, certificates, port, args }));
  }
  balancer = await startBalancer(ports);
  const url = `https://127.0.0.1:${balancer.port}`;
  const common = { caBundle, namespaceSelector, failurePolicy: 'Fail' } as const;
  registrations.push(
    await registerMutating(plane, { ...common, name: 'a-mixed', url: `${url}/mutate` }),
    await registerValidating(plane, { ...common, name: 'mixed', url: `${url}/validate` }),
  );
});
afterAll(async () => {
  for (const registration of registrations) await registration.remove();
  await balancer?.stop();
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  await rm(folder, { recursive: true });
});

it('all of 2,000 creates by 8 clients succeed while replicas differ', { timeout: 300_000 }, async () => {
  const { created, failures, uninjected } = await createPods(plane, namespace, 8, (count) => count >= 2000);
  expect(failures).toEqual([]);
  expect(uninjected).toEqual([]);
  const foreign = await Promise.all(servers.map(checkedForOther));
  // Each replica must have checked objects that the other one injected, or the test proves nothing.
  for (const count of foreign) expect(count).toBeGreaterThan(0);
  console.log(`${created} creates, ${foreign.join(' + ')} checked by the other replica: 0 refused`);
});

it('removals by another webhook are found, whichever replica injects or checks', {
  timeout: 300_000,
}, async () => {
  const thief = await startWebhook(() => ({
    patch: [{ op: 'remove', path: '/metadata/annotations/injected-by' }],
  }));
  const removing = await registerMutating(plane, {
    name: 'b-thief',
    url: thief.url,
    caBundle: thief.caBundle,
    namespaceSelector,
  });
  try {
    const before = await Promise.all(servers.map(checkedForOther));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        plane.request('POST', `/api/v1/namespaces/${namespace}/pods`, nginxPod(`stolen-${index}`)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(JSON.stringify(answers[0]?.body)).toContain('injector \\"stamp\\" would still change');
    const after = await Promise.all(servers.map(checkedForOther));
    expect(after[0]).toBeGreaterThan(before[0] ?? 0);
    expect(after[1]).toBeGreaterThan(before[1] ?? 0);
  } finally {
    await removing.remove();
    await thief.stop();
  }
});

/** "tier" matches every Pod, so it is left out only for objects of the other configuration. */
async function checkedForOther(server: Podgraft): Promise<number> {
  const [, count = 0] =
    /podgraft_reviews_total\{injector="tier",verdict="unmatched".*\} (\d+)/.exec(await server.metrics()) ??
    [];
  return Number(count);
}
