import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkedList, ListEntry } from './linked-list.ts';

const VALUES = [0, 1, 2, 3, 4, 5];

test('append and remove keep the order of a Set', () => {
  const action = fc.record({ type: fc.constantFrom('append', 'remove'), value: fc.constantFrom(...VALUES) });
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const list = new LinkedList<number>();
      const entries = new Map(VALUES.map((value) => [value, new ListEntry(value)]));
      const expected = new Set<number>();
      for (const { type, value } of actions) {
        const entry = entries.get(value) as ListEntry<number>;
        expected.delete(value);
        if (type === 'append') {
          expected.add(value);
          list.append(entry);
        } else entry.remove();
      }
      expect(valuesOf(list)).toEqual([...expected]);
      expect(list.last?.value).toBe([...expected].at(-1));
    }),
  );
});

test('append moves an entry from another list', () => {
  const [one, other] = [new LinkedList<string>(), new LinkedList<string>()];
  const entry = new ListEntry('a');
  one.append(entry);
  other.append(entry);
  expect([valuesOf(one), valuesOf(other)]).toEqual([[], ['a']]);
});

function valuesOf<T>(list: LinkedList<T>): T[] {
  const values: T[] = [];
  for (let entry = list.first; entry !== undefined; entry = list.after(entry)) values.push(entry.value);
  return values;
}
