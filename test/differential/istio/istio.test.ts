import { afterAll, describe, expect, test } from 'vitest';
import { filesView } from '../../../src/cluster/views/files-view.ts';
import { istio } from '../../../src/injectors/istio/istio.ts';
import { readSettings } from '../../../src/injectors/istio/settings.ts';
import { applyPatch } from '../../../src/json/apply-patch.ts';
import type { JsonObject } from '../../../src/json/json.ts';
import { asJson, type KubeObject } from '../../../src/kube/kube-object.ts';
import { createPipeline } from '../../../src/pipeline/pipeline.ts';
import { requestFor } from '../../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../../src/pipeline/run-pipeline.ts';
import type { Outcome } from '../../../src/pipeline/trace.ts';
import { differences } from '../differences.ts';
import { RUNS } from '../differential.ts';
import { oracle as kubernetes } from '../kubernetes/judge-stored-pod.ts';
import { type Random, randomFrom } from '../random.ts';
import { expectRecorded } from '../recorded-agreement.ts';
import { type Oracle, startOracle } from '../start-oracle.ts';
import { countValidity } from '../validity.ts';
import { BROKEN_REASONS, departure, ORDINARY_REASONS, REASONS } from './departures.ts';
import { randomOperator, randomProxyConfigResources } from './installations.ts';
import { randomPod, type Variety } from './pods.ts';
import { RARE } from './rare.ts';

const day = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Date.now() / 86_400_000));
const ORDINARY = 1;
const WILD = 2;
/** Few, since one setting of an installation can make all of its Pods differ. */
const PODS_PER_INSTALLATION = 5;
const NAMESPACE = 'shop';

const oracle = startOracle('istio');
const validity = countValidity();

describe.skipIf(oracle === undefined || kubernetes === undefined)("Podgraft against istiod's webhook", () => {
  afterAll(() => {
    oracle?.stop();
    kubernetes?.stop();
  });

  test.each<[string, number, Variety, object]>([
    ['ordinary Pods', ORDINARY, 'working', {}],
    ['ordinary Pods', day, 'working', {}],
    ['ordinary Pods, and those that do not work with istiod', ORDINARY, 'any', {}],
    [
      'ordinary Pods, and those that do not work with istiod; keepUnknownPortProbes: false',
      ORDINARY,
      'any',
      { keepUnknownPortProbes: false },
    ],
    ['wild Pods', WILD, 'wild', {}],
    ['wild Pods', day + 1, 'wild', {}],
    ['wild Pods, keepUnknownPortProbes: false', WILD, 'wild', { keepUnknownPortProbes: false }],
  ])('%s, seed %i', async (name, seed, variety, settings) => {
    const report = await compare(oracle as Oracle, randomFrom(seed), variety, settings);
    const share = report.same / report.total;
    const counts = [...report.departures].map(([reason, count]) => `${count} × ${reason}`).join('; ');
    console.log(
      `seed ${seed}: ${report.total} Pods, ${(share * 100).toFixed(2)} % the same, ${report.skipped} installations refused by both; ${counts}`,
    );
    if (process.env.DIFFERENTIAL_SHOW) for (const each of report.unexpected) console.log(each);
    expect(report.unexpected).toEqual([]);
    const refused = validity.take();
    console.log(`seed ${seed}: rejected by Kubernetes: ${JSON.stringify(refused)}`);
    expect(refused.onlyOurs).toBe(0);
    const found = [...report.departures.keys()];
    if (variety === 'working') expect(ORDINARY_REASONS).toEqual(expect.arrayContaining(found));
    if (variety === 'any')
      expect([...ORDINARY_REASONS, ...BROKEN_REASONS]).toEqual(expect.arrayContaining(found));
    if (variety === 'working') expect(share).toBeGreaterThanOrEqual(seed === ORDINARY ? 0.99 : 0.98);
    // Every rule is needed.
    if (seed === WILD && name === 'wild Pods' && report.total >= 500)
      expect(new Set([...found, ...RARE.map(([reason]) => reason)])).toEqual(new Set(REASONS));
    const { total: cases, same: equal } = report;
    const departures = Object.fromEntries(report.departures);
    if (seed === (variety === 'wild' ? WILD : ORDINARY))
      expectRecorded({ system: 'istio', name }, { cases, equal, departures, refused });
  });

  test.each(RARE)('%s', async (reason, operator, sent) => {
    const judge = oracle as Oracle;
    const random = await randomInstallation(judge, randomFrom(ORDINARY), operator);
    const installation = { ...random, nativeSidecars: true, openshift: false, proxyConfigs: [] };
    const { pods } = await judge.ask<Answer>({ pods: [sent] });
    const [pod] = pods as readonly [JsonObject];
    const path = '/inject';
    const theirs = await judge.ask<Answer>({ installation, namespace: NAMESPACE, path, pod });
    const run = podgraft(installation, {});
    const found = await verdict(judge, pod, theirs, run(pod, path), run, path);
    const injected = applyPatch(pod, theirs.patch as never) as JsonObject;
    expect(new Set(found.map((line) => departure(line, pod, injected)))).toEqual(new Set([reason]));
    validity.take();
  });
});

type Answer = Readonly<Record<string, unknown>> & { readonly error?: string };

interface Report {
  total: number;
  same: number;
  skipped: number;
  departures: Map<string, number>;
  unexpected: string[];
}

async function compare(oracle: Oracle, random: Random, variety: Variety, settings: object): Promise<Report> {
  const report: Report = { total: 0, same: 0, skipped: 0, departures: new Map(), unexpected: [] };
  while (report.total < RUNS) {
    const installation = await randomInstallation(oracle, random);
    const run = podgraft(installation, settings);
    for (let index = 0; index < PODS_PER_INSTALLATION; index++) {
      // As the API server would send it.
      const encoded = await oracle.ask<Answer>({ pods: [randomPod(random, variety)] });
      const [pod] = encoded.pods as readonly [JsonObject];
      const path = random.chance(0.1) ? random.pick(PATHS) : '/inject';
      const theirs = await oracle.ask<Answer>({ installation, namespace: NAMESPACE, path, pod });
      const ours = run(pod, path);
      if (
        theirs.error !== undefined &&
        !String(theirs.error).startsWith('panic') &&
        typeof ours === 'string'
      ) {
        report.skipped++;
        break;
      }
      report.total++;
      const found = await verdict(oracle, pod, theirs, ours, run, path);
      if (found.length === 0) {
        report.same++;
        continue;
      }
      const injected = applyPatch(pod, (theirs.patch ?? []) as never) as JsonObject;
      const reasons = found.map((line) => departure(line, pod, injected));
      const unknown = found.filter((_, at) => reasons[at] === undefined);
      if (unknown.length === 0)
        for (const reason of new Set(reasons))
          report.departures.set(String(reason), (report.departures.get(String(reason)) ?? 0) + 1);
      else
        report.unexpected.push(
          `${unknown.join('\n')}\n${path} ${JSON.stringify(pod)}\n${describeInstallation(installation)}`,
        );
    }
  }
  return report;
}

const PATHS = [
  '/inject/cluster/east/net/n2',
  '/inject/:ENV:a=b--slash--c:ENV:=x',
  '/inject/foo/b--slash--c/odd',
  '/inject/net/n3/',
];

interface Installation {
  readonly config: string;
  readonly values: string;
  readonly mesh: string;
  readonly revision: string;
  readonly nativeSidecars: boolean;
  readonly openshift: boolean;
  readonly proxyConfigs: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
  readonly clusters: readonly string[];
}

async function randomInstallation(
  oracle: Oracle,
  random: Random,
  operator = randomOperator(random),
): Promise<Installation> {
  const rendered = await oracle.ask<Answer>({ operator });
  if (rendered.error !== undefined) throw new Error(rendered.error);
  const openshift = random.chance(0.1);
  const ranges = { 'openshift.io/sa.scc.uid-range': '1000620000/10000' };
  return {
    config: String(rendered.config),
    values: String(rendered.values),
    mesh: String(rendered.mesh),
    revision: random.pick(['default', 'canary']),
    nativeSidecars: random.chance(0.5),
    openshift,
    proxyConfigs: randomProxyConfigResources(random),
    clusters: ['east'],
    namespaces: [{ metadata: { name: NAMESPACE, annotations: openshift ? ranges : {} } }],
  };
}

/** A function that injects Pods; its result is a string if the configuration is invalid. */
function podgraft(
  installation: Installation,
  more: object,
): (pod: JsonObject, path: string) => Outcome | string {
  const suffix = installation.revision === 'default' ? '' : `-${installation.revision}`;
  const configMap = (name: string, data: object) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: name + suffix, namespace: 'istio-system' },
    data,
  });
  const { config, values, mesh } = installation;
  const view = filesView([
    configMap('istio-sidecar-injector', { config, values }),
    configMap('istio', { mesh }),
    ...installation.proxyConfigs,
    ...installation.namespaces.map((each) => ({ apiVersion: 'v1', kind: 'Namespace', ...each })),
  ] as unknown as KubeObject[]);
  const settings = readSettings({
    revision: installation.revision,
    nativeSidecars: installation.nativeSidecars,
    platform: installation.openshift ? 'openshift' : '',
    ...more,
  });
  const pipeline = createPipeline([{ name: 'istio', injector: istio, config: settings }], []);
  return (pod, path) => {
    const object = pod as unknown as KubeObject;
    const request = requestFor(object, { operation: 'CREATE', namespace: NAMESPACE, username: 'test' });
    try {
      return runPipeline(pipeline, { ...request, namespace: NAMESPACE, path }, object, view);
    } catch (cause) {
      return (cause as Error).message;
    }
  };
}

/** What differs between the two, line by line; and what a second call of podgraft changes. */
async function verdict(
  oracle: Oracle,
  pod: JsonObject,
  theirs: Readonly<Record<string, unknown>>,
  ours: Outcome | string,
  run: (pod: JsonObject, path: string) => Outcome | string,
  path: string,
): Promise<readonly string[]> {
  if (typeof ours === 'string') return [`ours fails: ${ours}; theirs: ${theirs.error ?? theirs.allowed}`];
  if (theirs.error !== undefined) return [`theirs fails: ${theirs.error}`];
  if (theirs.allowed !== ours.allowed)
    return [
      theirs.allowed
        ? `only ours refuses: ${ours.allowed ? '' : ours.reason}`
        : `only theirs refuses: ${theirs.message}`,
    ];
  if (!ours.allowed) return [];
  const first = asJson(ours.object);
  const patched = applyPatch(pod, (theirs.patch ?? []) as never) as JsonObject;
  const { pods, error } = await oracle.ask<Answer>({ pods: [first, patched] });
  if (error !== undefined) return [`cannot compare: ${error}`];
  const [one, other] = pods as readonly [JsonObject, JsonObject];
  const stored = await validity.compare(one, other);
  const again = [first, stored.ours ?? first].flatMap((each, index) => {
    const second = run(each, path);
    if (typeof second === 'string' || !second.allowed) return [`second call ${index} fails`];
    return second.patch.length === 0
      ? []
      : [`second call ${index}: ${JSON.stringify(second.patch).slice(0, 300)}`];
  });
  const found = differences(one, other);
  const after = found.length > 0 ? [] : afterIstiod(run(patched, path));
  return [...(stored.problem === undefined ? [] : [stored.problem]), ...found, ...again, ...after];
}

/** A Pod that istiod has injected is left alone. */
function afterIstiod(outcome: Outcome | string): readonly string[] {
  if (typeof outcome === 'string' || !outcome.allowed) return ['after istiod: refused'];
  const { patch } = outcome;
  return patch.length === 0 ? [] : [`after istiod: ${JSON.stringify(patch).slice(0, 300)}`];
}

function describeInstallation(installation: Installation): string {
  const { config: _config, values: _values, mesh, ...rest } = installation;
  return `${JSON.stringify(rest)}\n${mesh}`;
}
