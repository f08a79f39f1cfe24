import { type AnyMap, isMap, itemsOf, mapGet, mapHas, mapKeys, sortedKeys } from '../containers.ts';
import { type FunctionMap, func, metered } from '../func.ts';
import type { Meter } from '../meter.ts';
import { ANY_MAP, isNil, typeOf } from '../types.ts';
import { Slice, type Value } from '../values.ts';
import { strval } from './cast.ts';
import { mergeInto } from './merge.ts';
import { withMust } from './with-must.ts';

/** Sprig's functions on dictionaries. Those that change a dictionary reject the caller's data. */
export const DICTS: FunctionMap = {
  dict: metered(`func(...interface {}) ${ANY_MAP}`, dict),
  get: func(`func(${ANY_MAP}, string) interface {}`, (map: AnyMap, key: string) =>
    mapHas(map, key) ? mapGet(map, key) : '',
  ),
  hasKey: func(`func(${ANY_MAP}, string) bool`, mapHas),
  set: func(`func(${ANY_MAP}, string, interface {}) ${ANY_MAP}`, (map: AnyMap, key: string, value: Value) =>
    own(map, 'set').set(key, value),
  ),
  unset: func(`func(${ANY_MAP}, string) ${ANY_MAP}`, (map: AnyMap, key: string) => {
    own(map, 'unset').delete(key);
    return map;
  }),
  // Go's order is random. Sorting keeps the output reproducible.
  keys: func(
    `func(...${ANY_MAP}) []string`,
    (...maps: AnyMap[]) => new Slice('string', maps.flatMap(sortedKeys)),
  ),
  values: func(`func(${ANY_MAP}) []interface {}`, (map: AnyMap) =>
    sortedKeys(map).map((key) => mapGet(map, key)),
  ),
  pluck: func(`func(string, ...${ANY_MAP}) []interface {}`, (key: string, ...maps: AnyMap[]) =>
    maps.filter((map) => mapHas(map, key)).map((map) => mapGet(map, key)),
  ),
  pick: func(`func(${ANY_MAP}, ...string) ${ANY_MAP}`, (map: AnyMap, ...keys: string[]) =>
    select(
      map,
      keys.filter((key) => mapHas(map, key)),
    ),
  ),
  omit: func(`func(${ANY_MAP}, ...string) ${ANY_MAP}`, (map: AnyMap, ...keys: string[]) =>
    select(
      map,
      mapKeys(map).filter((key) => !keys.includes(key)),
    ),
  ),
  dig: func('func(...interface {}) (interface {}, error)', dig),
  ...withMust('merge', `func(${ANY_MAP}, ...${ANY_MAP})`, 'interface {}', merge(false)),
  ...withMust('mergeOverwrite', `func(${ANY_MAP}, ...${ANY_MAP})`, 'interface {}', merge(true)),
  ...withMust('deepCopy', 'func(interface {})', 'interface {}', deepCopy),
};

function dict(meter: Meter, ...items: Value[]): Value {
  const map = new Map<string, Value>();
  for (let i = 0; i < items.length; i += 2)
    map.set(strval(items[i], meter), i + 1 < items.length ? items[i + 1] : '');
  return map;
}

/** The caller's data is shared between executions, so only dictionaries made by the template may change. */
function own(map: AnyMap, name: string): Map<string, Value> {
  if (map instanceof Map) return map;
  if (isNil(map)) throw new Error('assignment to entry in nil map');
  throw new Error(`${name} cannot change the template's data: apply it to a deepCopy`);
}

function select(map: AnyMap, keys: readonly string[]): Value {
  return new Map(keys.map((key) => [key, mapGet(map, key)]));
}

function dig(...args: Value[]): Value {
  if (args.length < 3) throw new Error('dig needs at least three arguments');
  const fallback = args.at(-2);
  let found = args.at(-1);
  for (const key of args.slice(0, -2)) {
    if (!isMap(found) || typeOf(found) !== ANY_MAP) throw conversion(found, ANY_MAP);
    if (typeof key !== 'string') throw conversion(key, 'string');
    if (!mapHas(found, key)) return fallback;
    found = mapGet(found, key);
  }
  return found;
}

function conversion(value: Value, goType: string): Error {
  const actual = value === null || value === undefined ? 'nil' : typeOf(value);
  return new Error(`interface conversion: interface {} is ${actual}, not ${goType}`);
}

/** Go changes its first argument. The caller's data is copied instead, with the same result. */
function merge(overwrite: boolean) {
  return (meter: Meter, target: AnyMap, ...sources: AnyMap[]): Value => {
    const result =
      target instanceof Map ? target : new Map(mapKeys(target).map((key) => [key, mapGet(target, key)]));
    for (const source of sources) mergeInto(result, source, overwrite, meter);
    return result;
  };
}

function deepCopy(meter: Meter, value: Value): Value {
  meter.spend(1);
  const items = itemsOf(value);
  if (items !== undefined) {
    const copies = items.map((item) => deepCopy(meter, item));
    return value instanceof Slice ? new Slice(value.goType.slice(2), isNil(value) ? null : copies) : copies;
  }
  // No function can change a typed map, so it can be shared.
  if (!isMap(value) || typeOf(value) !== ANY_MAP) return value;
  return new Map(mapKeys(value).map((key) => [key, deepCopy(meter, mapGet(value, key))]));
}
