import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CertificatePair } from '../certificates/read-certificate.ts';
import { describeCertificate, isIssuedBy, splitCertificates } from '../certificates/read-certificate.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { SECRET_TYPE } from './keyring-secret.ts';
import type { Lifetimes } from './settings.ts';
import { EPOCH, FakeCluster, Simulation, webhookConfiguration } from './simulation.fixture.ts';
import { type Registration, startRegistration } from './start-registration.ts';

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const hourly = { pollMs: DAY / 24, graceMs: DAY / 12 };
const SECRET = 'Secret/podgraft-tls';
const MUTATING = 'MutatingWebhookConfiguration/podgraft';

describe('a registration', () => {
  let simulation: Simulation;
  let cluster: FakeCluster;
  let log: string[];
  let registrations: Registration[];

  beforeEach(() => {
    simulation = new Simulation();
    cluster = new FakeCluster(simulation, () => 5);
    cluster.put(webhookConfiguration('MutatingWebhookConfiguration', 2));
    log = [];
    registrations = [];
  });
  afterEach(async () => {
    await whileRunning(Promise.all(registrations.map((each) => each.stop())));
  });

  const note = (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`);

  async function start(
    lifetimes: Partial<Lifetimes> = {},
    serviceName = 'podgraft',
    client = cluster.client(),
    isOptional = false,
  ): Promise<CertificatePair[]> {
    const served: CertificatePair[] = [];
    const starting = startRegistration({
      client,
      namespace: 'podgraft',
      secretName: 'podgraft-tls',
      serviceName,
      webhookConfigurations: [
        { kind: 'MutatingWebhookConfiguration', name: 'podgraft' },
        { kind: 'ValidatingWebhookConfiguration', name: 'podgraft', isOptional },
      ],
      lifetimes,
      clock: simulation.clock(),
      log: { info: note, warn: note, error: note },
      onCertificate: (pair) => served.push(pair),
    });
    registrations.push(await whileRunning(starting));
    return served;
  }

  /** Lets time pass until the promise is settled. */
  async function whileRunning<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const settled = promise.finally(() => {
      isDone = true;
    });
    settled.catch(() => {});
    while (!isDone) await simulation.run(simulation.time + 10);
    return settled;
  }

  const pass = (ms: number) => simulation.run(simulation.time + ms);
  const objectAt = (key: string): KubeObject => {
    const object = cluster.objects.get(key);
    if (object === undefined) throw new Error(`No ${key}`);
    return object;
  };
  const bundlesOf = (object: KubeObject) =>
    (object.webhooks as { clientConfig: { caBundle?: string } }[]).map(({ clientConfig }) =>
      splitCertificates(Buffer.from(clientConfig.caBundle ?? '', 'base64').toString()),
    );
  const bundles = (key: string) => bundlesOf(objectAt(key));
  const writesOf = (key: string) => cluster.history.filter((each) => each.key === key).length;
  const last = (served: CertificatePair[]) => served.at(-1)?.certificate ?? '';

  test('is ready with a certificate for the Service, and its CA in every webhook', async () => {
    const served = await start();
    await pass(SECOND);
    expect(served).toHaveLength(1);
    expect(describeCertificate(last(served)).dnsNames).toEqual(['podgraft.podgraft.svc']);
    const [first, second] = bundles(MUTATING);
    expect(first).toEqual(second);
    expect(first).toHaveLength(1);
    expect(isIssuedBy(last(served), first?.[0] ?? '')).toBe(true);
    expect(registrations[0]?.expiry()).toEqual({
      serving: new Date(EPOCH + 7 * DAY),
      ca: new Date(EPOCH + 365 * DAY),
    });
  });

  test('changes only caBundle, and writes nothing when nothing has changed', async () => {
    const before = objectAt(MUTATING);
    await start();
    await pass(SECOND);
    const withoutBundles = JSON.parse(JSON.stringify(objectAt(MUTATING)));
    for (const webhook of withoutBundles.webhooks) delete webhook.clientConfig.caBundle;
    expect(withoutBundles.webhooks).toEqual(before.webhooks);
    const writes = cluster.history.length;
    await pass(600 * SECOND);
    expect(cluster.history).toHaveLength(writes);
  });

  test('started by five replicas at once ends with one CA', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => start()));
    await pass(SECOND);
    expect(new Set(all.map(last)).size).toBe(1);
    expect(writesOf(SECRET)).toBe(1);
    expect(bundles(MUTATING)[0]).toHaveLength(1);
    expect(all.map((served) => served.length)).toEqual([1, 1, 1, 1, 1]);
  });

  test('renews the serving certificate in time, once for all replicas', async () => {
    const [one, two] = await Promise.all([start(hourly), start(hourly)]);
    await pass(4.6 * DAY);
    expect(one).toHaveLength(1);
    await pass(0.1 * DAY);
    expect(one).toHaveLength(2);
    expect(one).toEqual(two);
    expect(writesOf(SECRET)).toBe(2);
  });

  test('writes the CA into a webhook configuration that is created later or overwritten', async () => {
    await start();
    expect(log.join('\n')).toContain(
      'webhook configuration not found {"kind":"ValidatingWebhookConfiguration","name":"podgraft"}',
    );
    cluster.put(webhookConfiguration('ValidatingWebhookConfiguration', 1));
    cluster.put(webhookConfiguration('MutatingWebhookConfiguration', 3));
    await pass(15 * SECOND);
    expect(bundles('ValidatingWebhookConfiguration/podgraft')[0]).toHaveLength(1);
    expect(bundles(MUTATING).map((each) => each.length)).toEqual([1, 1, 1]);
    expect(log.filter((line) => line.includes('webhook configuration not found'))).toHaveLength(1);
  });

  test('does not report a missing optional webhook configuration, but writes the CA into it once it exists', async () => {
    await start({}, 'podgraft', cluster.client(), true);
    await pass(15 * SECOND);
    expect(log.join('\n')).not.toContain('not found');
    cluster.put(webhookConfiguration('ValidatingWebhookConfiguration', 1));
    await pass(15 * SECOND);
    expect(bundles('ValidatingWebhookConfiguration/podgraft')[0]).toHaveLength(1);
  });

  test('treats a deleted Secret as a request for a new CA, and rotates without a gap', async () => {
    const served = await start({ servingDays: 0.1, pollMs: 60 * SECOND, graceMs: 120 * SECOND });
    await pass(SECOND);
    const old = bundles(MUTATING)[0]?.[0] ?? '';
    cluster.objects.delete(SECRET);
    await pass(65 * SECOND);
    expect(served).toHaveLength(1);
    expect(bundles(MUTATING)[0]).toHaveLength(2);
    await pass(360 * SECOND);
    expect(served).toHaveLength(2);
    expect(isIssuedBy(last(served), old)).toBe(false);
    expect(bundles(MUTATING)[0]).toContain(old);
    await pass(0.12 * DAY);
    expect(bundles(MUTATING)[0]).not.toContain(old);
  });

  test('never replaces a newer bundle by an older one, however slow a replica is', async () => {
    await start();
    const client = cluster.client();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slowly: typeof client.get = async (target, options) => {
      const found = await client.get(target, options);
      if (target.ref.kind === 'Secret') await held;
      return found;
    };
    const starting = start({}, 'podgraft', { ...client, get: slowly });
    await pass(SECOND);
    cluster.objects.delete(SECRET);
    await pass(15 * SECOND);
    release();
    await starting;
    await pass(SECOND);
    const sizes = cluster.history
      .filter(({ key }) => key === MUTATING)
      .map(({ object }) => bundlesOf(object)[0]?.length);
    expect(sizes).toEqual([0, 1, 2]);
  });

  test('repairs its own broken Secret and logs why', async () => {
    cluster.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'podgraft', name: 'podgraft-tls' },
      type: SECRET_TYPE,
      data: { 'tls.crt': 'AAAA' },
    });
    const served = await start();
    expect(served).toHaveLength(1);
    expect(log[1]).toContain('the Secret is broken: \\"tls.crt\\" or \\"tls.key\\" is missing');
  });

  test('does not start with a foreign Secret, and leaves it unchanged', async () => {
    const foreign = cluster.put({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'podgraft', name: 'podgraft-tls' },
      type: 'Opaque',
      data: {},
    });
    await expect(start()).rejects.toMatchObject({
      code: 'TLS_SECRET_FOREIGN',
      message:
        'Cannot use Secret "podgraft/podgraft-tls" for certificates: its type is "Opaque", not "podgraft.dev/tls"; choose another name or delete it',
    });
    expect(objectAt(SECRET)).toEqual(foreign);
  });

  test('keeps serving while the API server is down, and catches up', async () => {
    const served = await start(hourly);
    cluster.isDown = true;
    await pass(5 * DAY);
    expect(served).toHaveLength(1);
    expect(log.at(-1)).toContain('cannot update certificates, will retry');
    cluster.isDown = false;
    await pass(DAY / 24);
    expect(served).toHaveLength(2);
  });

  test('settles if replicas need different names, as during an upgrade', async () => {
    const [old, upgraded] = await Promise.all([start({}, 'podgraft'), start({}, 'hooks')]);
    await pass(30 * SECOND);
    const writes = writesOf(SECRET);
    await pass(300 * SECOND);
    expect(writesOf(SECRET)).toBe(writes);
    expect(last(old)).toBe(last(upgraded));
    expect(describeCertificate(last(old)).dnsNames.toSorted()).toEqual([
      'hooks.podgraft.svc',
      'podgraft.podgraft.svc',
    ]);
  });

  test('stops at once, and starts no more rounds', async () => {
    await start();
    const [registration] = registrations;
    await whileRunning(registration?.stop() ?? Promise.resolve());
    cluster.objects.delete(SECRET);
    await pass(60 * SECOND);
    expect(cluster.objects.has(SECRET)).toBe(false);
  });

  test('limits its writes if another controller keeps reverting the bundle', async () => {
    await start();
    await pass(SECOND);
    const writes = writesOf(MUTATING);
    for (let second = 0; second < 60; second++) {
      cluster.put(webhookConfiguration('MutatingWebhookConfiguration', 1));
      await pass(SECOND);
    }
    expect(writesOf(MUTATING) - writes - 60).toBeLessThan(25);
  });
});
