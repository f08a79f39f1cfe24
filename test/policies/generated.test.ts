import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileConditions } from '../../src/config/compile-conditions.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { overlay as injector } from '../../src/injectors/overlay/overlay.ts';
import type { JsonObject } from '../../src/json/json.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { builtin } from '../../src/kube/resource.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { PodgraftError } from '../../src/podgraft-error.ts';
import { readCases } from '../../src/testing/cases.ts';
import { type Comparison, compare } from './compare.ts';
import { CONDITIONAL_OVERLAYS, SETTINGS } from './conditional-overlays.ts';
import { OVERLAYS, PODS } from './overlays.ts';
import { randomConditionalOverlay, randomOverlay } from './random-overlay.ts';

beforeAll(() => injector.prepare?.({ variables: { any: 'true' } }));

function compareOverlay(settings: JsonObject, pod: JsonObject) {
  const config = injector.config?.(settings);
  if (config?.issues.length) throw new Error(JSON.stringify(config.issues));
  const pipeline = createPipeline([{ name: 'test', injector, config }]);
  const metadata = { ...(pod.metadata as object), name: 'web' };
  const objects = [SETTINGS as unknown as KubeObject];
  return compare(pipeline, { apiVersion: 'v1', kind: 'Pod', ...pod, metadata }, { objects });
}

const settings = {
  ...Object.fromEntries(Object.entries(OVERLAYS).map(([title, overlay]) => [title, { overlay }])),
  ...Object.fromEntries(
    Object.entries(CONDITIONAL_OVERLAYS).map(([title, each]) => [`with expressions: ${title}`, each]),
  ),
};

describe.each(Object.keys(settings))('overlay %s', (title) => {
  it.each(Object.keys(PODS))('gives the same object as a policy: Pod %s', (name) => {
    const result = compareOverlay(settings[title] as JsonObject, PODS[name] as JsonObject);
    expect(result.reasons).toBeUndefined();
    expect(result.found).toEqual(result.expected);
  });
});

it.each([
  ['random overlays', randomOverlay, 30],
  ['random overlays with expressions', randomConditionalOverlay, 30],
] as const)(
  'gives the same object for %s',
  (_, arbitrary, least) => {
    const samples = fc.sample(fc.tuple(arbitrary, fc.constantFrom(...Object.values(PODS))), {
      seed: 14,
      numRuns: Number(process.env.RUNS ?? 60),
    });
    const results = samples.map(([overlay, pod]) => ({
      overlay,
      ...compareUnlessContradictory(overlay, pod),
    }));
    const compared = results.filter(({ reasons }) => reasons === undefined);
    for (const { overlay, found, expected } of compared)
      expect({ overlay, found }).toEqual({ overlay, found: expected });
    expect(compared.length).toBeGreaterThan(least);
  },
  120_000,
);

/** A random overlay may remove what it adds. */
function compareUnlessContradictory(overlay: JsonObject, pod: JsonObject): Comparison {
  try {
    return compareOverlay({ overlay }, pod);
  } catch (error) {
    if (!(error instanceof PodgraftError) || error.code !== 'INJECTOR_UNSETTLED') throw error;
    return { reasons: [{ reason: error.message }] };
  }
}

it.each(['Pod', 'ConfigMap', 'Deployment'])('a policy for all kinds gives the same %s', (kind) => {
  const overlay = {
    metadata: { labels: { a: 'b', name: { $cel: 'object.metadata.name' } }, annotations: { c: 'd' } },
  };
  const match = { kinds: ['*'], operations: ['CREATE', 'UPDATE'] } as const;
  const pipeline = createPipeline([
    { name: 'test', injector, config: injector.config?.({ overlay }), match },
  ]);
  const apiVersion = kind === 'Deployment' ? 'apps/v1' : 'v1';
  const metadata = { name: 'web', labels: { a: 'own' } };
  const { spec } = PODS.plain as { spec: JsonObject };
  const object = { apiVersion, kind, metadata, ...(kind === 'Pod' && { spec }) };
  const result = compare(pipeline, object);
  expect(result.reasons).toBeUndefined();
  expect(result.found).toEqual(result.expected);
  expect(result.found?.metadata).toMatchObject({
    labels: { a: 'own', name: 'web' },
    annotations: { c: 'd' },
  });
});

describe.each([
  ['the overlay', {}, { metadata: { labels: { a: { $cel: 'string(int(object.metadata.labels.level))' } } } }],
  [
    'a condition',
    { conditions: ['int(object.metadata.labels.level) > 1'] },
    { metadata: { labels: { a: 'b' } } },
  ],
] as const)(
  'if an expression of %s fails',
  (_, { conditions = [] }: { readonly conditions?: readonly string[] }, overlay) => {
    const run = (onError?: 'fail' | 'skip') => {
      const config = injector.config?.({ overlay });
      const match = { conditions: compileConditions(conditions, [], [], () => {}) };
      const pipeline = createPipeline([
        { name: 'test', injector, config, match, ...(onError && { onError }) },
      ]);
      const metadata = { name: 'web', labels: { level: 'high' } };
      return compare(pipeline, { apiVersion: 'v1', kind: 'Pod', ...PODS.plain, metadata });
    };

    it.each([undefined, 'fail'] as const)('a policy denies the object, too: onError %s', (onError) => {
      const { reasons, denied } = run(onError);
      expect(reasons).toBeUndefined();
      expect(denied?.byPolicies).toContain("type conversion error from 'string' to 'int'");
    });

    it('a policy leaves it out if onError is skip', () => {
      const { found, expected } = run('skip');
      expect(found).toBeDefined();
      expect(found).toEqual(expected);
    });
  },
);

describe('containers of a Pod that sets resources for all of them', () => {
  const containers = [{ name: '*', resources: { requests: { cpu: '100m', memory: '128Mi' } } }];
  const { spec } = PODS['with a request for all containers'] as { spec: JsonObject };

  it('have the same amounts in a Pod template', () => {
    const overlay = { spec: { template: { spec: { containers } } } };
    const match = { kinds: [builtin('Deployment')], operations: ['CREATE'] } as const;
    const pipeline = createPipeline([
      { name: 'test', injector, config: injector.config?.({ overlay }), match },
    ]);
    const template = { metadata: { labels: { app: 'web' } }, spec };
    const result = compare(pipeline, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    });
    expect(result.reasons).toBeUndefined();
    expect(result.found).toEqual(result.expected);
    expect(JSON.stringify(result.found)).toContain('"requests":{"memory":"128Mi"}');
  });

  it('need the webhook if an earlier mutation sets these', () => {
    const earlier = { name: 'app*', tty: true };
    const overlay = { spec: { resources: { requests: { cpu: '1' } }, containers: [earlier, ...containers] } };
    expect(compareOverlay({ overlay }, { spec }).reasons).toMatchObject([
      { reason: 'it reads "spec.resources", which another part of the overlay may have changed by then' },
    ]);
  });
});

it('a policy for all kinds has no types for their other fields', () => {
  const config = injector.config?.({ overlay: { spec: { replicas: 2 } } });
  const pipeline = createPipeline([{ name: 'test', injector, config, match: { kinds: ['*'] } }]);
  expect(compare(pipeline, {}).reasons).toMatchObject([
    { reason: 'it is for all kinds, and their fields differ' },
  ]);
});

const examples = fileURLToPath(new URL('../../examples/policies', import.meta.url));

describe.each(readdirSync(examples).filter((name) => !name.includes('.')))('examples/policies/%s', (name) => {
  it.each(readCases(`${examples}/${name}/cases`))(
    'gives the same objects as a policy: $name',
    async (testCase) => {
      const { pipeline } = await loadConfig(`${examples}/${name}/podgraft.yaml`);
      const { objects, settings } = testCase;
      const kinds = pipeline.stages.flatMap(({ match }) =>
        match.kinds.map((ref) => (ref === '*' ? ref : ref.kind)),
      );
      const subjects = objects.filter(({ kind }) => kinds.includes(kind));
      expect(subjects.length).toBeGreaterThan(0);
      for (const subject of subjects) {
        const given = asJson(subject);
        const result = compare(pipeline, given, { objects, username: settings.user });
        expect(result.reasons).toBeUndefined();
        expect(result.found).toEqual(result.expected);
      }
    },
  );
});
