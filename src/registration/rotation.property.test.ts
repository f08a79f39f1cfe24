import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CertificatePair } from '../certificates/read-certificate.ts';
import { describeCertificate, isIssuedBy, splitCertificates } from '../certificates/read-certificate.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { EPOCH, FakeCluster, Simulation, webhookConfiguration } from './simulation.fixture.ts';
import { startRegistration } from './start-registration.ts';

/** For a longer run: `PROPERTY_RUNS=1000 npx vitest run rotation.property`. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 4);
const SECOND = 1000;
const DAY = 86_400 * SECOND;
const lifetimes = {
  caDays: (450 * SECOND) / DAY,
  // A third of it covers an outage, the rest after it and a few slow calls.
  servingDays: (180 * SECOND) / DAY,
  propagationMs: 20 * SECOND,
  pollMs: 10 * SECOND,
  graceMs: 60 * SECOND,
};
/** Three rotations of the CA. */
const DURATION = 1000 * SECOND;
const REPLICAS = [0, 1, 2] as const;
const webhookConfigurations = [
  { kind: 'MutatingWebhookConfiguration', name: 'podgraft' },
  { kind: 'ValidatingWebhookConfiguration', name: 'podgraft' },
] as const;

const incident = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('restart'), replica: fc.constantFrom(...REPLICAS) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('delete secret', 'break secret', 'outage') }) },
);
const scenario = fc.record({
  seed: fc.integer(),
  // The clock tolerance for this lifetime is eighteen seconds.
  skews: fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 3, maxLength: 3 }),
  longestCall: fc.constantFrom(10, 500, 3000),
  incidents: fc.array(fc.tuple(fc.integer({ min: 60, max: 950 }), incident), { maxLength: 12 }),
});

test('no API server, however late, is ever shown a certificate that it cannot verify', {
  timeout: 0,
}, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ seed, skews, longestCall, incidents }) => {
      const random = randomFrom(seed);
      const simulation = new Simulation();
      const cluster = new FakeCluster(simulation, () => random() ** 4 * longestCall);
      for (const { kind } of webhookConfigurations) cluster.put(webhookConfiguration(kind, 2));

      const replicas = REPLICAS.map((index) => new SimulatedReplica(simulation, cluster, skews[index] ?? 0));
      for (const replica of replicas) void replica.start();
      for (const [second, { what, ...where }] of incidents) {
        const replica = 'replica' in where ? replicas[where.replica] : undefined;
        void simulation.sleep(second * SECOND).then(() => happen(what, cluster, simulation, replica));
      }
      const judge = new Judge(simulation, cluster);
      await simulation.run(DURATION, () => judge.check(replicas));

      expect(judge.checked).toBeGreaterThan(20);
      expect(new Set(judge.issuers).size).toBeGreaterThanOrEqual(3);
      for (const replica of replicas) replica.crash();
    }),
    { numRuns },
  );
});

class SimulatedReplica {
  served: CertificatePair | undefined;
  #life = 0;
  readonly #simulation: Simulation;
  readonly #cluster: FakeCluster;
  readonly #skew: number;

  constructor(simulation: Simulation, cluster: FakeCluster, skewSeconds: number) {
    this.#simulation = simulation;
    this.#cluster = cluster;
    this.#skew = skewSeconds * SECOND;
  }

  async start(): Promise<void> {
    const life = ++this.#life;
    const isDead = () => life !== this.#life;
    await startRegistration({
      client: this.#cluster.client(isDead),
      namespace: 'podgraft',
      secretName: 'podgraft-tls',
      serviceName: 'podgraft',
      webhookConfigurations,
      lifetimes,
      clock: this.#simulation.clock(this.#skew),
      log: { info() {}, warn() {}, error() {} },
      onCertificate: (pair) => {
        if (!isDead()) this.served = pair;
      },
    });
  }

  crash(): void {
    this.#life++;
    this.served = undefined;
  }
}

async function happen(
  what: string,
  cluster: FakeCluster,
  simulation: Simulation,
  replica?: SimulatedReplica,
) {
  const secret = cluster.objects.get('Secret/podgraft-tls');
  if (what === 'restart') {
    replica?.crash();
    await simulation.sleep(SECOND);
    await replica?.start();
  } else if (what === 'delete secret') {
    cluster.objects.delete('Secret/podgraft-tls');
  } else if (what === 'break secret' && secret !== undefined) {
    cluster.put({ ...secret, data: { 'tls.crt': 'bm9uc2Vuc2U=' } });
  } else if (what === 'outage') {
    cluster.isDown = true;
    await simulation.sleep(15 * SECOND);
    cluster.isDown = false;
  }
}

/** Stands for every API server: some have the newest bundle, others the oldest that propagation allows. */
class Judge {
  checked = 0;
  readonly issuers: string[] = [];
  readonly #simulation: Simulation;
  readonly #cluster: FakeCluster;
  readonly #dates = new Map<string, readonly [number, number]>();
  readonly #introduced = new Set<string>();
  /** Indexes into the history: the first unseen entry, and the one that introduced the present CAs. */
  #seen = 0;
  #start = 0;
  #checkedState = '';

  constructor(simulation: Simulation, cluster: FakeCluster) {
    this.#simulation = simulation;
    this.#cluster = cluster;
  }

  check(replicas: readonly SimulatedReplica[]): void {
    const served = new Set(replicas.flatMap((replica) => replica.served?.certificate ?? []));
    const fault = [...served].some((certificate) => !this.#isTimely(certificate)) && 'outside its dates';
    if (fault) throw new Error(`At ${this.#simulation.time} ms a certificate is served ${fault}`);
    this.#checkBundles(served);
  }

  #checkBundles(served: ReadonlySet<string>): void {
    // Time alone only takes bundles out of use, so a check is needed only after a write or a new certificate.
    const state = [this.#cluster.history.length, ...served].join();
    if (state === this.#checkedState) return;
    this.#checkedState = state;
    this.#noticeNewStart(served);
    const bundles = new Set(
      webhookConfigurations.flatMap(({ kind, name }) => this.#bundlesInUse(`${kind}/${name}`)),
    );
    for (const certificate of served) {
      for (const bundle of bundles) {
        this.checked++;
        if (!this.#chainsTo(certificate, bundle)) {
          throw new Error(
            `At ${this.#simulation.time} ms a certificate is served that a bundle does not cover`,
          );
        }
      }
    }
  }

  /** No API server can know a CA made from scratch, so one may be made only while no replica serves, as at the first start. */
  #noticeNewStart(served: ReadonlySet<string>): void {
    for (const { key, object } of this.#cluster.history.slice(this.#seen)) {
      this.#seen++;
      const data = (object.data ?? {}) as { readonly [name: string]: string };
      const ca = key.startsWith('Secret/') ? data['ca.crt'] : undefined;
      if (ca !== undefined && !this.#introduced.has(ca)) {
        if (served.size > 0)
          throw new Error(`At ${this.#simulation.time} ms a CA is made while a replica serves`);
        this.#start = this.#seen;
      }
      for (const known of [ca, data['next-ca.crt']]) if (known !== undefined) this.#introduced.add(known);
    }
  }

  #bundlesInUse(key: string): readonly string[] {
    const oldest = this.#simulation.time - lifetimes.propagationMs;
    const written = this.#cluster.history.slice(this.#start).filter((each) => each.key === key);
    const first = written.findLastIndex((each) => each.at <= oldest);
    return written.slice(Math.max(first, 0)).flatMap(({ object }) => caBundlesOf(object));
  }

  #isTimely(certificate: string): boolean {
    const [from, to] = this.#dates.get(certificate) ?? datesOf(certificate);
    this.#dates.set(certificate, [from, to]);
    const now = EPOCH + this.#simulation.time;
    return from <= now && now < to;
  }

  #chainsTo(certificate: string, bundle: string): boolean {
    const issuer = splitCertificates(Buffer.from(bundle, 'base64').toString()).find((ca) =>
      isIssuedBy(certificate, ca),
    );
    if (issuer !== undefined) this.issuers.push(issuer);
    return issuer !== undefined;
  }
}

function datesOf(certificate: string): readonly [number, number] {
  const { notBefore, notAfter } = describeCertificate(certificate);
  return [notBefore.getTime(), notAfter.getTime()];
}

function caBundlesOf(object: KubeObject): readonly string[] {
  const webhooks = object.webhooks as readonly { clientConfig: { caBundle?: string } }[];
  return webhooks.map(({ clientConfig }) => clientConfig.caBundle ?? '');
}

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
