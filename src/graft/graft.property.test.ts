import fc from 'fast-check';
import { applyPatch as applyIndependently } from 'rfc6902';
import { describe, expect, test } from 'vitest';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { withApiDefaults } from '../testing/api-defaults.ts';
import { deepFreeze } from '../testing/laws.ts';
import { graft } from './graft.ts';
import { shapeOf } from './shape-of.ts';

/** `PROPERTY_RUNS=1000000 npx vitest run property` is the longer run. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 10_000);
const POD = shapeOf('v1', 'Pod');

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const text = fc.constantFrom('', 'x', 'y', 'x y', '~/', '__proto__');
const labelKey = fc.constantFrom('a', 'a/b', 'a~b', '__proto__', 'constructor');
const quantity = fc.constantFrom('1', '1000m', '0.5', '500m', '1Gi', '1024Mi', '128Mi');
const optional = { requiredKeys: [] as never[] };

/** As JSON text would give it: a key `__proto__` is an own member. */
const labels = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(labelKey, value), { maxLength: 3 }).map((entries) => {
    const members = new Map(entries);
    return JSON.parse(
      `{${[...members].map(([key, entry]) => `${JSON.stringify(key)}:${JSON.stringify(entry)}`)}}`,
    );
  });

const source = fc.constant({ fieldRef: { fieldPath: 'metadata.name' } });
const foundEnv = fc.oneof(
  fc.record({ name, value: text }),
  fc.record({ name, valueFrom: source }),
  fc.record({ name }),
);
const volumeSource = fc.constantFrom(
  { emptyDir: {} },
  { configMap: { name: 'c' } },
  { secret: { secretName: 's' } },
);
const volume = fc.tuple(name, volumeSource).map(([volumeName, from]) => ({ name: volumeName, ...from }));
const mountPath = fc.constantFrom('/a', '/b', '/c');
const port = fc.record(
  { containerPort: fc.constantFrom(80, 81), protocol: fc.constantFrom('TCP', 'UDP') },
  {
    requiredKeys: ['containerPort'],
  },
);
const toleration = fc.record(
  { key: name, operator: fc.constantFrom('Exists', 'Equal') },
  { requiredKeys: ['key'] },
);
const resources = fc.record(
  { requests: fc.dictionary(fc.constantFrom('cpu', 'memory'), quantity), limits: fc.constant(null) },
  optional,
);

const container = fc
  .tuple(
    name,
    fc.record(
      {
        image: fc.constant('i:1'),
        env: fc.array(foundEnv, { maxLength: 4 }),
        ports: fc.array(port, { maxLength: 2 }),
        volumeMounts: fc.array(fc.record({ name, mountPath }), { maxLength: 3 }),
        args: fc.array(text, { maxLength: 2 }),
        resources,
        newerField: fc.constant({ deep: [1, { two: 2 }] }),
      },
      optional,
    ),
  )
  .map(([containerName, rest]) => ({ name: containerName, ...rest }));

const pods = fc.record(
  {
    apiVersion: fc.constant('v1'),
    kind: fc.constant('Pod'),
    metadata: fc.record(
      { labels: labels(text), annotations: fc.oneof(fc.constant(null), labels(text)) },
      optional,
    ),
    spec: fc.record(
      {
        containers: fc.array(container, { maxLength: 5 }),
        initContainers: fc.array(container, { maxLength: 2 }),
        volumes: fc.array(volume, { maxLength: 3 }),
        tolerations: fc.array(toleration, { maxLength: 3 }),
        hostNetwork: fc.boolean(),
        nodeName: text,
      },
      { requiredKeys: ['containers'] },
    ),
  },
  { requiredKeys: ['apiVersion', 'kind', 'metadata', 'spec'] },
);

const forceOf = (value: fc.Arbitrary<unknown>) => value.map(($force) => ({ $force }));
const tokensOf = fc
  .tuple(
    fc.constantFrom(' ', ',', ':'),
    fc.array(fc.constantFrom('x', 'y', '-z'), { minLength: 1, maxLength: 3 }),
  )
  .map(([separator, parts]) => ({ $tokens: { separator, parts } }));
const gone = fc.constant({ $absent: true });
const wish = (value: fc.Arbitrary<unknown>) => fc.oneof(value, forceOf(value), gone);
const looseAt = fc.oneof(
  fc.constantFrom('first', 'last'),
  fc.record({ before: name }),
  fc.record({ after: name }),
);
/** One kept place a list: two may contradict each other, which is for the pipeline to find. */
const keptAt = fc.oneof(
  fc.constantFrom({ first: true, keep: true }, { last: true, keep: true }),
  fc.record({ before: fc.constant('e'), keep: fc.constant(true) }),
  fc.record({ after: fc.constant('e'), keep: fc.constant(true) }),
);

const wantedEnv = fc.oneof(
  fc.record({ name, value: fc.oneof(wish(text), tokensOf) }),
  fc.record({ name, value: text, $at: looseAt }),
  fc.record({ name, valueFrom: wish(source) }),
);
/** Each name once: an overlay must not contradict itself. */
const distinct = (items: fc.Arbitrary<readonly unknown[]>) =>
  items.map((list) => {
    const seen = new Set<string>();
    return list.filter((item) => {
      const {
        name: own,
        mountPath: path,
        $absent,
      } = item as { name?: string; mountPath?: string; $absent?: { name: string } };
      const key = path ?? own ?? $absent?.name ?? JSON.stringify(item);
      return !seen.has(key) && seen.add(key);
    });
  });
const removal = name.map((own) => ({ $absent: { name: own } }));
const wantedContainer = fc
  .tuple(
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.record(
      {
        image: wish(fc.constantFrom('i:1', 'i:2')),
        env: distinct(fc.array(fc.oneof(wantedEnv, removal), { maxLength: 4 })),
        ports: fc.array(port, { maxLength: 2 }),
        volumeMounts: distinct(fc.array(fc.record({ name, mountPath }), { maxLength: 3 })),
        args: wish(fc.array(text, { maxLength: 2 })),
        resources: fc.record(
          { requests: fc.dictionary(fc.constantFrom('cpu', 'memory'), wish(quantity)) },
          optional,
        ),
        $at: looseAt,
      },
      optional,
    ),
  )
  .map(([own, rest]) => ({ name: own, ...rest }));
const withOneKept = fc
  .tuple(distinct(fc.array(fc.oneof(wantedContainer, removal), { maxLength: 4 })), fc.option(keptAt))
  .map(([items, at]) => {
    const index = items.findIndex((item) => 'name' in (item as object));
    return at === null || index < 0 ? items : items.with(index, { ...(items[index] as object), $at: at });
  });

const overlays = fc.record(
  {
    metadata: fc.record({ labels: labels(wish(text)), annotations: labels(text) }, optional),
    spec: fc.record(
      {
        containers: withOneKept,
        initContainers: distinct(fc.array(wantedContainer, { maxLength: 2 })),
        volumes: distinct(fc.array(fc.oneof(volume, removal), { maxLength: 3 })),
        tolerations: distinct(
          fc.array(
            fc.oneof(
              toleration,
              toleration.map(($absent) => ({ $absent })),
            ),
            { maxLength: 2 },
          ),
        ),
        hostNetwork: wish(fc.boolean()),
        nodeName: wish(text),
      },
      optional,
    ),
  },
  optional,
);

/** Set and removed in one list is a contradiction that no merge can settle. */
function contradictory(overlay: JsonObject): boolean {
  const tolerations = ((overlay.spec as JsonObject | undefined)?.tolerations ?? []) as JsonObject[];
  const removed = tolerations
    .filter((item) => '$absent' in item)
    .map((item) => (item.$absent as JsonObject).key);
  return tolerations.some((item) => removed.includes(item.key as string));
}

describe('for any Pod and any overlay', () => {
  const check = (law: (pod: JsonObject, overlay: JsonObject) => void) =>
    fc.assert(
      fc.property(pods, overlays, (pod, overlay) => {
        fc.pre(!contradictory(overlay as JsonObject));
        law(deepFreeze(pod) as unknown as JsonObject, deepFreeze(overlay) as unknown as JsonObject);
      }),
      { numRuns },
    );

  test('the patch, applied by an independent library, gives the object', { timeout: 600_000 }, () => {
    check((pod, overlay) => {
      const { object, patch } = graft(pod, overlay, POD);
      expect(applyPatch(pod, patch)).toEqual(object);
      // The independent library loses a member of this name when it copies; ours has just been checked.
      if (JSON.stringify(patch).includes('__proto__')) return;
      const document = structuredClone(pod);
      const failures = applyIndependently(
        document,
        structuredClone(patch) as Parameters<typeof applyIndependently>[1],
      );
      expect(failures.every((failure) => failure === null)).toBe(true);
      expect(document).toEqual(object);
    });
  });

  test('a second graft changes nothing, even after API-server defaulting', {
    timeout: 600_000,
  }, () => {
    check((pod, overlay) => {
      const { object } = graft(pod, overlay, POD);
      expect(graft(object, overlay, POD).patch).toEqual([]);
      expect(graft(withApiDefaults(object), overlay, POD).patch).toEqual([]);
    });
  });

  test('the patches of two grafts in a row apply one after the other', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(pods, overlays, overlays, (pod, first, second) => {
        const original = deepFreeze(pod) as unknown as JsonObject;
        const one = graft(original, deepFreeze(first) as JsonObject, POD);
        const other = graft(one.object, deepFreeze(second) as JsonObject, POD);
        expect(applyPatch(original, [...one.patch, ...other.patch])).toEqual(other.object);
      }),
      { numRuns },
    );
  });

  test('fields that the overlay does not name are shared', { timeout: 600_000 }, () => {
    check((pod, overlay) => {
      const { object } = graft(pod, overlay, POD);
      const spec = overlay.spec as JsonObject | undefined;
      for (const field of Object.keys(pod.spec as JsonObject)) {
        if (spec?.[field] === undefined)
          expect((object.spec as JsonObject)[field]).toBe((pod.spec as JsonObject)[field] as Json);
      }
    });
  });
});
