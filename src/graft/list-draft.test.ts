import { describe, expect, test } from 'vitest';
import { grafted, podWith } from '../../test/grafted.ts';
import type { JsonObject } from '../json/json.ts';
import { absent } from './directive.ts';

const named = (count: number, name = (index: number) => `v${index}`) =>
  Array.from({ length: count }, (_, index) => ({ name: name(index) }));
const volumes = (items: readonly JsonObject[]) => ({ spec: { volumes: items } });

describe('a list for which the API server would need too many steps is replaced as a whole', () => {
  test.each<[string, readonly JsonObject[], readonly JsonObject[]]>([
    ['of removals', named(3000), named(2000).map((item) => absent(item))],
    [
      'of insertions',
      named(2000),
      named(1000, (index) => `w${index}`).map((item) => ({ ...item, $at: 'first' })),
    ],
    [
      'of moves',
      named(3000),
      named(2000)
        .toReversed()
        .map((item) => ({ ...item, $at: { last: true, keep: true } })),
    ],
    [
      'of moves beside another item',
      named(3000),
      named(2000)
        .toReversed()
        .map((item) => ({ ...item, $at: { after: 'v2999', keep: true } })),
    ],
  ])('because %s', (_, found, wanted) => {
    const pod = podWith({ volumes: found });
    const { patch } = grafted(pod, volumes(wanted));
    expect(patch.map(({ op, path }) => `${op} ${path}`)).toEqual(['replace /spec/volumes']);
  });
});

test('as few items as possible are moved', () => {
  const pod = podWith({ volumes: [...named(1000, () => 'x'), ...named(2)] });
  const { patch } = grafted(pod, volumes([{ name: 'x', $at: { last: true, keep: true } }]));
  expect(patch).toEqual([
    { op: 'move', from: '/spec/volumes/1000', path: '/spec/volumes/0' },
    { op: 'move', from: '/spec/volumes/1001', path: '/spec/volumes/1' },
  ]);
});

test('60,000 items of one name keep their place in linear time', () => {
  const pod = podWith({ volumes: [...named(1), ...named(60_000, () => 'x'), ...named(30_000)] });
  const start = performance.now();
  for (const $at of [{ first: true }, { last: true }, { after: 'v29999' }, { before: 'v0' }])
    grafted(pod, volumes([{ name: 'x', $at: { ...$at, keep: true } }]));
  // Each of them took more than twenty seconds.
  expect(performance.now() - start).toBeLessThan(3000);
});
