import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../src/control-plane/free-ports.ts';
import { STAMP } from '../stamp.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { createPods } from './create-pods.ts';
import { createNamespace } from './namespace.ts';
import { type Podgraft, startPodgraft } from './podgraft.ts';
import { type Registered, registerMutating } from './register-webhook.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const plane = sharedControlPlane();
const inNamespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });

describe('during server restarts', () => {
  const namespace = 'no-loss';
  let folder: string;
  let certificates: Certificates;
  let balancer: Balancer;
  let registered: Registered;
  let ports: readonly { port: number; metricsPort: number }[];
  const servers: Podgraft[] = [];

  const start = (index: number) => {
    const { port = 0, metricsPort = 0 } = ports[index] ?? {};
    // Long enough for the balancer, which checks every 50 ms.
    const args = ['--metrics-port', String(metricsPort), '--drain-delay', '1'];
    return startPodgraft(STAMP, { cluster: plane, certificates, port, args });
  };

  beforeAll(async () => {
    await createNamespace(plane, namespace);
    folder = await mkdtemp(join(tmpdir(), 'podgraft-no-loss-'));
    certificates = await makeCertificates(folder);
    const [a = 0, b = 0, c = 0, d = 0] = await freePorts(4);
    ports = [
      { port: a, metricsPort: b },
      { port: c, metricsPort: d },
    ];
    servers.push(await start(0), await start(1));
    balancer = await startBalancer(ports);
    registered = await registerMutating(plane, {
      name: 'no-loss',
      url: `https://127.0.0.1:${balancer.port}/mutate`,
      caBundle: Buffer.from(certificates.ca).toString('base64'),
      failurePolicy: 'Fail',
      namespaceSelector: inNamespace(namespace),
    });
  });
  afterAll(async () => {
    await registered?.remove();
    await balancer?.stop();
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    await rm(folder, { recursive: true });
  });

  it('all of 2,000 creates by 8 clients succeed and are injected, through ten restarts', {
    timeout: 300_000,
  }, async () => {
    let restarts = 0;
    // The load continues until the last restart has finished.
    const load = createPods(plane, namespace, 8, (count) => count >= 2000 && restarts === 10);
    for (let turn = 0; turn < 5; turn++) {
      for (const index of [0, 1]) {
        await servers[index]?.stop('SIGTERM');
        servers[index] = await start(index);
        restarts++;
        // The other server must not stop before the balancer uses this one again.
        await sleep(300);
      }
    }
    const { created, failures, uninjected } = await load;
    expect(failures).toEqual([]);
    expect(uninjected).toEqual([]);
    console.log(`${created} creates through ${restarts} restarts: 0 failed, 0 uninjected`);
  });
});

describe('latency', () => {
  it('prints how much injection adds to a create', { timeout: 180_000 }, async () => {
    await createNamespace(plane, 'latency-without');
    await createNamespace(plane, 'latency-with');
    const server = await startPodgraft(STAMP, { cluster: plane });
    const registered = await registerMutating(plane, {
      name: 'latency',
      url: server.mutateUrl,
      caBundle: server.caBundle,
      namespaceSelector: inNamespace('latency-with'),
    });
    try {
      const without = await createPods(plane, 'latency-without', 1, (count) => count >= 1000);
      const injected = await createPods(plane, 'latency-with', 1, (count) => count >= 1000);
      expect(without.failures).toEqual([]);
      expect(injected.failures).toEqual([]);
      expect(injected.uninjected).toEqual([]);
      const [plain, own] = [without.milliseconds, injected.milliseconds].map((times) =>
        times.toSorted((a, b) => a - b),
      );
      const at = (times: number[] = [], share = 0.5) => times[Math.floor(times.length * share)] ?? Number.NaN;
      const line = (name: string, share: number) =>
        `${name}: ${at(plain, share).toFixed(2)} ms without, ${at(own, share).toFixed(2)} ms with, ${(at(own, share) - at(plain, share)).toFixed(2)} ms added`;
      console.log(`1,000 creates, one at a time\n${line('median', 0.5)}\n${line('p99', 0.99)}`);
    } finally {
      await registered.remove();
      await server.stop();
    }
  });
});
