import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesView } from '../cluster/files-view.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import type { JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { Match } from '../sdk/match.ts';
import { createPipeline, type Entry } from './pipeline.ts';
import { runPipeline } from './run.ts';
import { requestFor } from './run-manifest.ts';

const entry = (name: string, written: JsonObject, match: Match = {}): Entry => ({
  name,
  injector: overlay,
  config: overlay.config?.({ overlay: written }),
  match,
});
const label = { metadata: { labels: { team: 'a' } } };
const env = { spec: { containers: [{ name: '*', env: [{ name: 'A', value: '1' }] }] } };
const mounts = { spec: { containers: [{ name: '*', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] } };
const sidecar = { spec: { containers: [{ name: 'proxy', image: 'proxy' }] } };

describe('who has to look again after a change', () => {
  const disturbs = (writer: JsonObject, reader: JsonObject, match: Match = {}) =>
    createPipeline([entry('writer', writer), entry('reader', reader, match)]).stages[0]?.disturbs.length ===
    1;

  test.each([
    ['another label', label, { metadata: { labels: { other: 'b' } } }, false],
    ['the same label', label, { metadata: { labels: { team: 'b' } } }, true],
    ['other fields of every container', env, mounts, false],
    ['the same list of every container', env, env, true],
    ['a new container, for one that treats them all', sidecar, env, true],
    ['what every container gets, for one that adds a container', env, sidecar, false],
    ['something forced, which may free a place', { spec: { priority: { $force: 1 } } }, label, true],
    [
      'something under a place that another one removes',
      label,
      { metadata: { labels: { $absent: true } } },
      true,
    ],
  ])('%s', (_, writer, reader, expected) => {
    expect(disturbs(writer, reader)).toBe(expected);
  });

  test('what the other one is chosen by', () => {
    expect(disturbs(label, env, { objectSelector: { matchLabels: { team: 'a' } } })).toBe(true);
    expect(disturbs(label, env, { annotations: { team: 'a' } })).toBe(false);
    expect(disturbs({ metadata: { annotations: { team: 'a' } } }, env, { annotations: { team: 'a' } })).toBe(
      true,
    );
  });
});

const key = fc.constantFrom('a', 'b');
const value = fc.constantFrom('x', 'y');
const wish = fc.oneof(
  { weight: 4, arbitrary: value },
  fc.record({ $force: value }),
  fc.constant({ $absent: true }),
);
const labels = fc.dictionary(key, wish, { maxKeys: 2 });
const entries = fc.uniqueArray(fc.record({ name: key, value: wish }), { selector: ({ name }) => name });
const container = fc.record(
  {
    name: fc.constantFrom('a', 'b', '*'),
    image: value,
    env: entries,
    livenessProbe: fc.oneof(
      fc.constant({ httpGet: { port: 80 } }),
      fc.constant({ exec: { command: ['x'] } }),
      fc.constant({ exec: { $force: { command: ['x'] } } }),
      fc.constant({ httpGet: { $force: { port: 80 } } }),
    ),
  },
  { requiredKeys: ['name'] },
);
const containers = fc.uniqueArray(container, { selector: ({ name }) => name, maxLength: 2 });
const written = fc.record(
  {
    metadata: fc.record({ labels, annotations: labels }, { requiredKeys: [] }),
    spec: fc.record(
      { containers, replicas: fc.constantFrom(1, { $atLeast: 2 }, { $force: 3 }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const match: fc.Arbitrary<Match> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record({ objectSelector: fc.record({ matchLabels: fc.dictionary(key, value, { maxKeys: 1 }) }) }),
  fc.record({ annotations: fc.dictionary(key, value, { maxKeys: 1 }) }),
);

test('leaving stages alone changes nothing of the outcome', () => {
  const pod: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { a: 'x' } },
    spec: { containers: [{ name: 'a', image: 'x', env: [{ name: 'a', value: 'x' }] }] },
  };
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'me' });
  const outcome = (stages: readonly Entry[]) => {
    try {
      const { trace: _, ...rest } = runPipeline(createPipeline(stages), request, pod, filesView([]));
      return rest;
    } catch (error) {
      return String(error);
    }
  };
  const { wishes: _, ...asking } = overlay;
  let spared = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(written, match), { minLength: 2, maxLength: 4 }), (overlays) => {
      const stages = overlays.map(([each, when], index) => entry(`i${index}`, each as JsonObject, when));
      spared += createPipeline(stages).stages.filter(
        ({ disturbs }) => disturbs.length < stages.length - 1,
      ).length;
      expect(outcome(stages)).toEqual(outcome(stages.map((stage) => ({ ...stage, injector: asking }))));
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 10_000) },
  );
  expect(spared).toBeGreaterThan(1000);
});
