import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/json/json.ts';
import { checks } from '../../src/verify/checks/catalog.ts';
import { corpus } from '../../src/verify/corpus.ts';
import { directServer } from '../../src/verify/direct-server.ts';
import { type CheckResult, runVerify, TOGETHER } from '../../src/verify/run-verify.ts';
import { subjectsOf } from '../../src/verify/subject.ts';
import { FAULTS } from './faults.ts';
import { type FixtureServer, startFixtures } from './fixture-webhooks.ts';

// Each object is sent many times.
vi.setConfig({ testTimeout: 120_000 });

let server: FixtureServer;
beforeAll(async () => {
  server = await startFixtures(FAULTS);
});
afterAll(() => server.stop());

async function verify(configurations: readonly JsonObject[], ids?: readonly string[]) {
  const report = await runVerify({
    subjects: subjectsOf(configurations, (webhook) => directServer(webhook)),
    samples: corpus(),
    ...(ids && { checks: checks.filter(({ id }) => ids.includes(id)) }),
  });
  return { ...report, failed: report.results.filter(({ outcome }) => outcome === 'failed') };
}

const smallest = (result: CheckResult | undefined) => result?.finding?.smallest;
const BARE = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'verify' } };
const BARE_POD = { ...BARE, spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.2' }] } };

it('a well-behaved webhook passes every check, with every Pod of the corpus', async () => {
  const { failed, results, notes } = await verify([server.configuration('fine', ['good'])]);
  expect(failed).toEqual([]);
  expect(notes).toEqual([]);
  const tried = results.find(({ check }) => check.id === 'idempotence')?.objects;
  expect(tried).toBe(corpus().filter(({ object }) => object.kind === 'Pod').length);
});

describe('a fault is caught, named, and shown with the smallest object', () => {
  it.each([
    ['appends-each-time', 'idempotence', /changes its own result again, at spec\.containers\[sidecar-2\]/],
    ['appends-each-time', 'reinvocation', /changes the object again in the second round/],
    ['time-stamped', 'idempotence', /changes its own result again, at spec\.containers\[sidecar-\d+\]/],
    ['time-stamped', 'determinism', /answers the same object differently/],
    ['refuses-own-output', 'own-output', /rejects its own result: .*there is a sidecar already/],
    ['replaces-lists', 'whole-lists', /replaces whole lists: spec\.containers/],
    ['drops-unknown-fields', 'unknown-fields', /drops unknown fields, at spec\.containers\[app\]/],
    ['missing-parent', 'patch-applies', /doc is missing path: "\/metadata\/annotations\/x"/],
    ['invalid', 'valid-result', /makes the object invalid: .*spec\.containers\[1\]\.name/],
    ['wrong-uid', 'answers', /expected response\.uid=.*got "other"/],
  ])('%s: %s', async (webhook, check, message) => {
    const { failed } = await verify([server.configuration('faulty', [webhook])], [check]);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ subject: `faulty/${webhook}.example.com`, check: { id: check } });
    expect(failed[0]?.finding?.message).toMatch(message);
    expect(smallest(failed[0])).toEqual(BARE_POD);
  });

  it('removes-env: removals', async () => {
    const { failed } = await verify([server.configuration('faulty', ['removes-env'])], ['removals']);
    expect(failed[0]?.finding?.message).toBe('removes what the user wrote, at spec.containers[app].env');
    expect(smallest(failed[0])).toEqual({
      ...BARE,
      spec: {
        containers: [{ ...BARE_POD.spec.containers[0], env: [{ name: expect.any(String) }] }],
      },
    });
  });

  it('patches-deletions: deletion', async () => {
    const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
    const configuration = server.configuration('faulty', ['patches-deletions'], { rules });
    const { failed } = await verify([configuration], ['deletion']);
    expect(failed[0]?.finding?.message).toBe('sends a patch on DELETE');
    expect(smallest(failed[0])).toEqual(BARE_POD);
  });

  it('counts-dry-runs: dry-run', async () => {
    const { failed } = await verify([server.configuration('faulty', ['counts-dry-runs'])], ['dry-run']);
    expect(failed[0]?.finding?.message).toBe(
      'answers a second dry run differently: the first one left something behind, at metadata.annotations[example.com/count]',
    );
    expect(smallest(failed[0])).toEqual(BARE_POD);
  });

  it('equivalent patches in another order are equal for dry runs', async () => {
    const { failed } = await verify([server.configuration('fine', ['shuffles'])], ['dry-run', 'determinism']);
    expect(failed).toEqual([]);
  });

  it('slow: latency', async () => {
    const configuration = server.configuration('faulty', ['slow'], { timeoutSeconds: 1 });
    const { failed } = await verify([configuration], ['latency']);
    expect(failed[0]?.finding?.message).toMatch(
      /^took \d+ ms under 4 calls at once, with a timeout of 1000 ms$/,
    );
    expect(smallest(failed[0])).toEqual(BARE_POD);
  });

  it('slow-with-env: latency', async () => {
    const configuration = server.configuration('faulty', ['slow-with-env'], { timeoutSeconds: 2 });
    const { failed } = await verify([configuration], ['latency']);
    const [container] = BARE_POD.spec.containers;
    expect(smallest(failed[0])).toEqual({ ...BARE, spec: { containers: [{ ...container, env: [] }] } });
  });

  it('slow-at-times: latency, without an object', async () => {
    const configuration = server.configuration('faulty', ['slow-at-times'], { timeoutSeconds: 1 });
    const { failed } = await verify([configuration], ['latency']);
    expect(failed[0]?.finding?.message).toMatch(
      /^took \d+ ms .*, but not every time: not tied to an object$/,
    );
    expect(smallest(failed[0])).toBeUndefined();
  });

  it.each([
    ['crashes-on-bad-json', 'an empty body', /^$/],
    [
      'crashes-without-containers',
      'an object without metadata',
      /"object":\{"apiVersion":"v1","kind":"Pod"\}/,
    ],
  ])('%s: bad-reviews', async (webhook, review, body) => {
    const mortal = await startFixtures(FAULTS);
    const { failed } = await verify([mortal.configuration('faulty', [webhook])], ['bad-reviews']);
    expect(failed[0]?.finding?.message).toBe(`no longer answers after ${review}`);
    expect(failed[0]?.finding?.body).toMatch(body);
    expect(mortal.isListening).toBe(false);
    await mortal.stop();
  });
});

describe('a set of webhooks', () => {
  const pair = ['sets-team', 'copies-team'];

  it('names the two that depend on their order, and the place, with the smallest object', async () => {
    const all = ['good', ...pair];
    const configurations = all.map((name) => server.configuration(name, [name]));
    const { failed } = await verify(configurations, ['order']);
    expect(failed).toHaveLength(1);
    const [{ subject, finding } = {} as CheckResult] = failed;
    expect(subject).toBe(TOGETHER);
    expect(finding?.culprits).toEqual(pair.toSorted().map((name) => `${name}/${name}.example.com`));
    expect(finding?.paths).toEqual(['metadata.annotations.owner']);
    expect(finding?.smallest).toEqual(BARE_POD);
  });

  it('names every pair that depends on its order, with its own places', async () => {
    const all = ['good', 'appends-each-time', ...pair];
    const configurations = all.map((name) => server.configuration(name, [name]));
    const { failed } = await verify(configurations, ['order']);
    expect(failed[0]?.finding?.message).toMatch(
      /^depends on the order of appends-each-time\.example\.com and good\.example\.com: differs at spec\.containers.*; and of copies-team\.example\.com and sets-team\.example\.com: differs at metadata\.annotations\.owner$/,
    );
    expect(failed[0]?.finding?.culprits).toHaveLength(4);
  });

  it('of webhooks that add different things passes in any order', async () => {
    const configurations = ['good', 'sets-team'].map((name) => server.configuration(name, [name]));
    const { failed } = await verify(configurations, ['order', 'set-idempotence', 'convergence']);
    expect(failed).toEqual([]);
  });

  it('that undo each other is found by its order', async () => {
    const configurations = ['left', 'right'].map((name) =>
      server.configuration(name, [name], { reinvocationPolicy: 'IfNeeded' }),
    );
    const { failed } = await verify(configurations, ['order']);
    expect(failed[0]?.finding?.paths).toEqual(['metadata.annotations.side']);
  });

  it('that never converges is found', async () => {
    const configurations = ['good', 'appends-each-time'].map((name) => server.configuration(name, [name]));
    const { failed } = await verify(configurations, ['set-idempotence', 'convergence']);
    expect(failed.map(({ check }) => check.id)).toEqual(['set-idempotence', 'convergence']);
    expect(failed[1]?.finding?.message).toMatch(/^still changes after 10 passes, at spec\.containers/);
    expect(smallest(failed[1])).toEqual(BARE_POD);
  });

  it('that rejects together what each member accepts alone is found', async () => {
    const configurations = ['good', 'refuses-own-output'].map((name) => server.configuration(name, [name]));
    const { failed } = await verify(configurations, ['set-output']);
    expect(failed[0]?.finding?.message).toContain('there is a sidecar already');
    expect(failed[0]?.finding?.culprits).toEqual(['refuses-own-output/refuses-own-output.example.com']);
  });
});

it('a webhook that matches nothing of the corpus is reported as unchecked', async () => {
  const rules = [{ operations: ['CREATE'], apiGroups: ['x.io'], apiVersions: ['v1'], resources: ['xs'] }];
  const { results, notes } = await verify([server.configuration('others', ['good'], { rules })]);
  expect(results.every(({ outcome }) => outcome === 'skipped')).toBe(true);
  expect(notes[0]).toContain('others/good.example.com was not called with any object');
});

it('selectors are met: by the namespace, and by labels of the object', async () => {
  const settings = {
    namespaceSelector: { matchLabels: { inject: 'yes' } },
    objectSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['web'] }] },
  };
  const { failed, notes } = await verify(
    [server.configuration('narrow', ['good'], settings)],
    ['idempotence'],
  );
  expect(failed).toEqual([]);
  expect(notes).toEqual([]);
});
