import { itemsOf } from '../containers.ts';
import { deepEqual } from '../deep-equal.ts';
import { type FunctionMap, func, metered } from '../func.ts';
import type { Meter } from '../meter.ts';
import { ANY_SLICE, kindOf } from '../types.ts';
import { Int, Slice, type Value } from '../values.ts';
import { isEmpty, toBigInt } from './cast.ts';
import { withMust } from './with-must.ts';

/** Sprig's functions on lists. They never change their argument. */
export const LISTS: FunctionMap = {
  list: func('func(...interface {}) []interface {}', (...items: Value[]) => items),
  tuple: func('func(...interface {}) []interface {}', (...items: Value[]) => items),
  ...withMust('append', 'func(interface {}, interface {})', ANY_SLICE, append),
  ...withMust('push', 'func(interface {}, interface {})', ANY_SLICE, append),
  ...withMust('prepend', 'func(interface {}, interface {})', ANY_SLICE, (_, list: Value, item: Value) => [
    item,
    ...itemsFor(list, 'prepend on'),
  ]),
  ...withMust(
    'first',
    'func(interface {})',
    'interface {}',
    (_, list: Value) => itemsFor(list, 'find first on')[0] ?? null,
  ),
  ...withMust(
    'last',
    'func(interface {})',
    'interface {}',
    (_, list: Value) => itemsFor(list, 'find last on').at(-1) ?? null,
  ),
  ...withMust('rest', 'func(interface {})', ANY_SLICE, (_, list: Value) =>
    orNil(itemsFor(list, 'find rest on'), 1),
  ),
  ...withMust('initial', 'func(interface {})', ANY_SLICE, (_, list: Value) =>
    orNil(itemsFor(list, 'find initial on'), 0, -1),
  ),
  ...withMust('reverse', 'func(interface {})', ANY_SLICE, (_, list: Value) =>
    [...itemsFor(list, 'find reverse on')].reverse(),
  ),
  ...withMust('compact', 'func(interface {})', ANY_SLICE, (_, list: Value) =>
    itemsFor(list, 'compact on').filter((item) => !isEmpty(item)),
  ),
  ...withMust('uniq', 'func(interface {})', ANY_SLICE, unique),
  ...withMust(
    'without',
    'func(interface {}, ...interface {})',
    ANY_SLICE,
    (meter, list: Value, ...omit: Value[]) =>
      itemsFor(list, 'find without on').filter((item) => !includes(meter, omit, item)),
  ),
  ...withMust('has', 'func(interface {}, interface {})', 'bool', has),
  ...withMust('slice', 'func(interface {}, ...interface {})', 'interface {}', slice),
  ...withMust('chunk', 'func(int, interface {})', '[][]interface {}', chunk),
  concat: func('func(...interface {}) interface {}', (...lists: Value[]) => {
    const all = lists.flatMap((list) => {
      const items = itemsOf(notNil(list));
      if (items === undefined) throw new Error(`Cannot concat type ${kindOf(list)} as list`);
      return items;
    });
    return all.length === 0 ? new Slice('interface {}', null) : all;
  }),
  until: metered('func(int) []int', (meter, count: Int) =>
    steps(meter, 0n, count.value, count.value < 0n ? -1n : 1n),
  ),
  untilStep: metered('func(int, int, int) []int', (meter, start: Int, stop: Int, step: Int) =>
    steps(meter, start.value, stop.value, step.value),
  ),
  seq: metered('func(...int) string', (meter, ...params: Int[]) =>
    sequence(
      meter,
      params.map((param) => param.value),
    ),
  ),
};

function notNil(list: Value): Value {
  if (list !== null && list !== undefined) return list;
  throw new Error('runtime error: invalid memory address or nil pointer dereference');
}

function itemsFor(list: Value, task: string): readonly Value[] {
  const items = itemsOf(notNil(list));
  if (items === undefined) throw new Error(`Cannot ${task} type ${kindOf(list)}`.replace('on on', 'on'));
  return items;
}

function append(_: Meter, list: Value, item: Value): Value {
  return [...itemsFor(list, 'push on'), item];
}

function orNil(items: readonly Value[], start: number, end?: number): Value {
  return items.length === 0 ? new Slice('interface {}', null) : items.slice(start, end);
}

function includes(meter: Meter, list: readonly Value[], item: Value): boolean {
  return list.some((other) => deepEqual(item, other, meter));
}

function unique(meter: Meter, list: Value): Value {
  const kept: Value[] = [];
  for (const item of itemsFor(list, 'find uniq on')) if (!includes(meter, kept, item)) kept.push(item);
  return kept;
}

function has(meter: Meter, needle: Value, list: Value): Value {
  if (list === null || list === undefined) return false;
  return includes(meter, itemsFor(list, 'find has on'), needle);
}

function slice(_: Meter, list: Value, ...indices: Value[]): Value {
  const items = itemsOf(notNil(list));
  if (items === undefined) throw new Error(`list should be type of slice or array but ${kindOf(list)}`);
  if (items.length === 0) return null;
  const [first, second] = indices;
  const start = first === undefined ? 0 : Number(toBigInt(first));
  const end = second === undefined ? items.length : Number(toBigInt(second));
  if (start < 0 || end < start || end > items.length)
    throw new Error('reflect.Value.Slice: slice index out of bounds');
  const part = items.slice(start, end);
  return list instanceof Slice ? new Slice(list.goType.slice(2), part) : part;
}

function chunk(_: Meter, size: Int, list: Value): Value {
  const items = itemsFor(list, 'chunk');
  const width = Number(size.value);
  if (width < 1) throw new Error('runtime error: makeslice: len out of range');
  const chunks: Value[] = [];
  for (let i = 0; i < items.length; i += width) chunks.push(items.slice(i, i + width));
  return new Slice(ANY_SLICE, chunks);
}

function steps(meter: Meter, start: bigint, stop: bigint, step: bigint): Slice {
  const items: Int[] = [];
  const up = stop >= start;
  if (up ? step > 0n : step < 0n) {
    for (let i = start; up ? i < stop : i > stop; i += step) {
      meter.spend(1);
      items.push(new Int('int', i));
    }
  }
  return new Slice('int', items);
}

function sequence(meter: Meter, params: readonly bigint[]): string {
  const [a = 0n, b = 0n, c = 0n] = params;
  if (params.length === 0 || params.length > 3) return '';
  const start = params.length === 1 ? 1n : a;
  const end = params.length === 1 ? a : params.length === 2 ? b : c;
  const direction = end < start ? -1n : 1n;
  const step = params.length === 3 ? b : direction;
  if (params.length === 3 && direction < 0n && step > 0n) return '';
  return (steps(meter, start, end + direction, step).items ?? [])
    .map((item) => (item as Int).value)
    .join(' ');
}
