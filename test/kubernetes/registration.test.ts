import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect as dial, createServer as listen } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { splitCertificates } from '../../src/certificates/read-certificate.ts';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import type { Lifetimes } from '../../src/registration/settings.ts';
import { type Registration, startRegistration } from '../../src/registration/start-registration.ts';
import { accepted } from './client.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { nginxPod } from './pods.ts';
import { sharedControlPlane } from './shared-control-plane.ts';

const namespace = 'registration';
const name = 'registration.podgraft.test';
const secretPath = `/api/v1/namespaces/${namespace}/secrets/podgraft-tls`;
const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const SECOND = 1 / 86_400;

type Configuration = { webhooks: { clientConfig: { caBundle?: string } }[] };

/** Two replicas behind one address. Every review has its own connection, and so its own handshake. */
describe('self-managed certificates', () => {
  const plane = sharedControlPlane();
  let client: KubeClient;
  let replicas: Replica[] = [];
  let balancer: { port: number; close(): void };

  beforeAll(async () => {
    const credentials = { current: async () => ({ token: plane.token }), refused() {} };
    client = createClient({ server: new URL(plane.url), tls: { ca: plane.ca }, credentials });
    await createNamespace(plane, namespace);
    replicas = await Promise.all([startReplica(client), startReplica(client)]);
    balancer = await balance(replicas.map((replica) => replica.port));
    accepted(await plane.request('POST', configurations, configuration(balancer.port)));
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.rest()));
    await plane.request('DELETE', secretPath);
    // A CA in a configuration without a Secret would make new replicas wait for one that remembers it.
    await wipe();
  });
  afterAll(async () => {
    await plane.request('DELETE', `${configurations}/${name}`);
    balancer.close();
    for (const replica of replicas) replica.server.close();
    client.close();
  });

  const wipe = async () => {
    const { webhooks } = configuration(balancer.port);
    accepted(await plane.request('PATCH', `${configurations}/${name}`, { webhooks }));
  };
  const bundles = async () => {
    const { webhooks } = accepted(await plane.request<Configuration>('GET', `${configurations}/${name}`));
    return webhooks.map(({ clientConfig }) =>
      splitCertificates(Buffer.from(clientConfig.caBundle ?? '', 'base64').toString()),
    );
  };
  const createPod = () =>
    plane.request<{ message: string }>(
      'POST',
      `/api/v1/namespaces/${namespace}/pods?dryRun=All`,
      nginxPod('a'),
    );
  const started = async (lifetimes: Partial<Lifetimes> = {}) => {
    await Promise.all(replicas.map((replica) => replica.register(lifetimes)));
    await eventually('the API server calls us', async () => (await createPod()).status === 201);
  };

  it('started by two replicas at once end with one CA, in every webhook of the configuration', async () => {
    await started();
    const [one, two] = replicas;
    expect(one?.served).toHaveLength(1);
    expect(two?.served).toEqual(one?.served);
    const [first, second] = await bundles();
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
  });

  it('restore a deleted bundle within a second or two', async () => {
    await started();
    await sleep(1500);
    await wipe();
    const healed = async () => (await bundles()).every((bundle) => bundle.length === 1);
    await eventually('the bundle is back', healed, { within: 3000 });
  });

  it('start a rotation when the Secret is deleted, and keep working', async () => {
    await started();
    await sleep(1500);
    accepted(await plane.request('DELETE', secretPath));
    await eventually('there is a second CA', async () => (await bundles())[0]?.length === 2, {
      within: 5000,
    });
    expect(await createPod()).toMatchObject({ status: 201 });
  });

  it('rotate twice under load without one failed create', async () => {
    await started({
      caDays: 18 * SECOND,
      servingDays: 9 * SECOND,
      propagationMs: 1500,
      pollMs: 250,
      graceMs: 2000,
    });
    const known = new Set<string>();
    let creates = 0;
    const until = Date.now() + 34_000;
    const load = Array.from({ length: 4 }, async () => {
      while (Date.now() < until) {
        const { status, body } = await createPod();
        creates++;
        expect(body.message ?? status).toBe(201);
        await sleep(10);
      }
    });
    const look = (async () => {
      while (Date.now() < until) {
        for (const ca of (await bundles()).flat()) known.add(ca);
        await sleep(100);
      }
    })();
    await Promise.all([...load, look]);
    const served = new Set(replicas.flatMap((replica) => replica.served));
    console.log(`${creates} creates, ${known.size} CAs, ${served.size} serving certificates, 0 failures`);
    expect(known.size).toBeGreaterThanOrEqual(3);
    expect((await bundles())[0]?.length).toBeLessThanOrEqual(3);
  }, 90_000);
});

type Replica = {
  server: Server;
  port: number;
  served: string[];
  register(lifetimes: Partial<Lifetimes>): Promise<void>;
  rest(): Promise<void>;
};

async function startReplica(client: KubeClient): Promise<Replica> {
  const server = createServer(async (request, response) => {
    const { request: review } = (await json(request)) as { request: { uid: string } };
    const answer = {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: review.uid, allowed: true },
    };
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let registration: Registration | undefined;
  const replica: Replica = {
    server,
    port: (server.address() as AddressInfo).port,
    served: [],
    async register(lifetimes) {
      registration = await startRegistration({
        client,
        namespace,
        secretName: 'podgraft-tls',
        serviceName: 'podgraft',
        webhookConfigurations: [{ kind: 'MutatingWebhookConfiguration', name }],
        extraNames: { ipAddresses: ['127.0.0.1'] },
        lifetimes,
        log: { info() {}, warn: console.warn, error: console.error },
        onCertificate({ certificate, key }) {
          replica.served.push(certificate);
          server.setSecureContext({ cert: certificate, key });
        },
      });
    },
    async rest() {
      await registration?.stop();
      replica.served.length = 0;
    },
  };
  return replica;
}

/** Distributes connections in turn. */
async function balance(ports: readonly number[]): Promise<{ port: number; close(): void }> {
  let turn = 0;
  const server = listen((incoming) => {
    const outgoing = dial(ports[turn++ % ports.length] ?? 0, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** As installed, without a bundle. */
function configuration(port: number) {
  const webhook = (label: string) => ({
    name: `${label}.podgraft.test`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    clientConfig: { url: `https://127.0.0.1:${port}/` },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
  });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook('first'), webhook('second')],
  };
}
