import { byteAt, byteLength, byteSlice } from '../golang/utf8.ts';
import { elemType, isMap, itemsOf, mapGet } from './containers.ts';
import { pointee } from './print.ts';
import { isNil, typeOf, underlying, zeroOf } from './types.ts';
import { Int, Slice, Struct, type Value } from './values.ts';

/** The builtin index: x[1]["a"]. A missing key returns the zero value of the map's elements. */
export function index(collection: Value, ...indexes: Value[]): Value {
  if (collection === undefined || collection === null) throw new Error('index of untyped nil');
  let item: Value = collection;
  for (const key of indexes) item = indexOnce(item, key);
  return item;
}

/** The builtin slice: x[1:2] of a string or slice. */
export function slice(collection: Value, ...indexes: Value[]): Value {
  if (collection === undefined || collection === null) throw new Error('slice of untyped nil');
  const item = pointee(underlying(collection));
  if (item instanceof Struct && isNil(item)) throw new Error('slice of nil pointer');
  if (indexes.length > 3) throw new Error(`too many slice indexes: ${indexes.length}`);
  const items = itemsOf(item);
  if (typeof item !== 'string' && items === undefined)
    throw new Error(`can't slice item of type ${typeOf(item)}`);
  if (typeof item === 'string' && indexes.length === 3) throw new Error('cannot 3-index slice a string');
  const length = typeof item === 'string' ? byteLength(item) : (items?.length ?? 0);
  const [start = 0, end = length, max = length] = indexes.map((at) => position(at, length));
  if (start > end) throw new Error(`invalid slice index: ${start} > ${end}`);
  if (end > max) throw new Error(`invalid slice index: ${end} > ${max}`);
  if (typeof item === 'string') return byteSlice(item, start, end);
  const part = (items ?? []).slice(start, end);
  return item instanceof Slice ? new Slice(elemType(item), part) : part;
}

function indexOnce(collection: Value, key: Value): Value {
  const item = pointee(underlying(collection));
  if (isNil(item) && !isMap(item) && itemsOf(item) === undefined) throw new Error('index of nil pointer');
  if (isMap(item)) return mapGet(item, mapKey(key)) ?? (zeroOf(elemType(item)) as Value);
  if (typeof item === 'string') {
    return new Int('uint8', BigInt(byteAt(item, inRange(position(key, byteLength(item)), byteLength(item)))));
  }
  const items = itemsOf(item);
  if (items === undefined) throw new Error(`can't index item of type ${typeOf(item)}`);
  return items[inRange(position(key, items.length), items.length)] ?? null;
}

function mapKey(key: Value): string {
  if (typeof key === 'string') return key;
  if (key === undefined || key === null) throw new Error('value is nil; should be of type string');
  throw new Error(`value has type ${typeOf(key)}; should be string`);
}

function position(at: Value, limit: number): number {
  const int = underlying(at);
  if (int === undefined || int === null) throw new Error('cannot index slice/array with nil');
  if (!(int instanceof Int)) throw new Error(`cannot index slice/array with type ${typeOf(at)}`);
  if (int.value < 0n || int.value > BigInt(limit)) throw new Error(`index out of range: ${int.value}`);
  return Number(int.value);
}

/** Go's own check admits the index after the last, for which reflect then panics. */
function inRange(at: number, length: number): number {
  if (at < length) return at;
  throw new Error('reflect: slice index out of range');
}
