import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../json/json.ts';
import { keyOf } from '../../sdk/memory.ts';
import { causesOf, expand, openParts } from './expand.ts';

const name = fc.constantFrom('a', 'b', 'ab');
const pattern = fc.constantFrom('*', 'a*', '*b', 'a');
const entry = (names: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.record({ name: names, value }, { requiredKeys: ['name'] });
const amount = fc.constantFrom(1, 2, 'x', null);
const minimum = fc.oneof(fc.constantFrom('x', 1), fc.record({ $atLeast: fc.constantFrom(1, 2) }));
const containers = (names: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.array(
    fc.record(
      { name: names, env: fc.array(entry(names, value), { maxLength: 2 }) },
      { requiredKeys: ['name'] },
    ),
    { maxLength: 2 },
  );
const removal = fc.record({ $absent: fc.record({ name: pattern }) });
const object = fc.record(
  {
    replicas: amount,
    containers: containers(name, amount),
    volumes: fc.array(entry(name, amount), { maxLength: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
const overlay = fc.record(
  {
    replicas: minimum,
    containers: containers(pattern, minimum),
    volumes: fc.array(fc.oneof(removal, entry(pattern, minimum)), { maxLength: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test('objects with the same causes expand to the same', () => {
  let equal = 0;
  fc.assert(
    fc.property(overlay, object, object, (written, one, other) => {
      const open = openParts(written);
      const key = (found: Json) => keyOf(causesOf(written, found, open));
      if (key(one) !== key(other)) return;
      equal++;
      expect(expand(written, one, open)).toEqual(expand(written, other, open));
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 10_000) },
  );
  expect(equal).toBeGreaterThan(500);
});
