import { expect, test } from 'vitest';
import { holdLease } from '../../src/cluster/hold-lease.ts';
import { FakeCluster, Simulation } from '../../src/registration/simulation.fixture.ts';

const SECOND = 1000;
const log = { info() {}, warn() {} };

/** Three replicas that work whenever they hold the Lease. */
function start(latency = () => 20) {
  const simulation = new Simulation();
  const cluster = new FakeCluster(simulation, latency);
  const working = new Set<string>();
  const dead = new Set<string>();
  const endings = new Map<string, AbortController>();
  for (const [index, identity] of ['a', 'b', 'c'].entries()) {
    const ending = new AbortController();
    endings.set(identity, ending);
    void holdLease(
      {
        client: cluster.client(() => dead.has(identity)),
        namespace: 'podgraft',
        name: 'audit',
        identity,
        log,
        // Clocks that differ by hours.
        clock: simulation.clock(index * 3_600_000),
        work: async (signal) => {
          working.add(identity);
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          working.delete(identity);
        },
      },
      ending.signal,
    );
  }
  const run = async (until: number) => {
    let most = 0;
    await simulation.run(until, () => {
      most = Math.max(most, [...working].filter((each) => !dead.has(each)).length);
    });
    return most;
  };
  return { run, working, dead, endings, cluster };
}

test('one of several replicas works', async () => {
  const { run, working } = start();
  expect(await run(600 * SECOND)).toBe(1);
  expect(working.size).toBe(1);
});

test('another one takes over from a replica that died, and not before its Lease has ended', async () => {
  const { run, working, dead } = start();
  await run(60 * SECOND);
  const [first = ''] = working;
  dead.add(first);
  await run(85 * SECOND);
  expect([...working]).toEqual([first]);
  await run(110 * SECOND);
  expect([...working].filter((each) => each !== first)).toHaveLength(1);
});

test('a replica that stops leaves the Lease to another one at once', async () => {
  const { run, working, endings } = start();
  await run(60 * SECOND);
  const [first = ''] = working;
  endings.get(first)?.abort();
  await run(67 * SECOND);
  expect(working.size).toBe(1);
  expect(working.has(first)).toBe(false);
});

test('a holder that cannot reach the API server stops before another one could start', async () => {
  const { run, working, cluster } = start();
  await run(60 * SECOND);
  cluster.isDown = true;
  await run(70 * SECOND);
  expect(working.size).toBe(1);
  await run(89 * SECOND);
  expect(working.size).toBe(0);
  cluster.isDown = false;
  expect(await run(200 * SECOND)).toBe(1);
  expect(working.size).toBe(1);
});
