import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../json/json.ts';
import { covers } from './covers.ts';
import { SetFinder } from './set-finder.ts';
import { ANY, list, OMITTED_FALSE, QUANTITY, type Shape, STRING, struct } from './shape.ts';

const ITEM = struct({
  name: STRING,
  optional: OMITTED_FALSE,
  amount: QUANTITY,
  ports: list(['port'], ANY),
  inner: struct({ name: STRING, amount: QUANTITY }),
});

/** Enough searches that the list is indexed. */
const MANY = 5000;

const leaf = fc.constantFrom<Json>(
  null,
  '',
  'a',
  'b',
  false,
  true,
  0,
  1,
  '1000m',
  '1',
  {},
  [],
  ['a'],
  [{ port: 1 }],
);
const fields = fc.dictionary(
  fc.constantFrom('name', 'optional', 'amount', 'ports', 'other', '__proto__'),
  leaf,
  {
    noNullPrototype: true,
  },
);
const item: fc.Arbitrary<Json> = fc.oneof(
  leaf,
  fields as fc.Arbitrary<Json>,
  fc.tuple(fields, fields).map(([outer, inner]) => ({ ...outer, inner }) as Json),
);

test.each<[string, Shape]>([
  ['structs', ITEM],
  ['plain JSON', ANY],
])('finds the same values in %s with an index as without', (_, shape) => {
  fc.assert(
    fc.property(fc.array(item), fc.array(item), fc.array(item), (found, added, searched) => {
      const items = [...found];
      const finder = new SetFinder({ items }, MANY, shape);
      const expected = (wanted: Json) => items.some((each) => covers(each, wanted, shape));
      for (const wanted of searched) expect(finder.has(wanted)).toBe(expected(wanted));
      for (const each of added) {
        items.unshift(each);
        finder.add(each);
      }
      for (const wanted of searched) expect(finder.has(wanted)).toBe(expected(wanted));
      items.length = 0;
      finder.reset();
      for (const wanted of searched) expect(finder.has(wanted)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('an index reads each item once for all values with the same fields', () => {
  let reads = 0;
  const counted = (name: string) => ({
    get name() {
      reads++;
      return name;
    },
  });
  const items = Array.from({ length: 1000 }, (_, index) => counted(`n${index}`));
  const finder = new SetFinder({ items }, items.length, ITEM);
  for (let index = 0; index < 1000; index++) expect(finder.has({ name: `n${index}` })).toBe(true);
  expect(finder.has({ name: 'n1000' })).toBe(false);
  expect(reads).toBeLessThan(5 * items.length);
});
