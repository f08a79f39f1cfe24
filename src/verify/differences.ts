import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { sameJson } from '../json/same-json.ts';
import { type ListType, type TypedValue, typedKind } from '../kube/typed/schema.ts';
import { metadataOf } from '../policy/cluster-objects.ts';

export interface Difference {
  /** For display: `spec.containers[app].env[HOME]`. */
  readonly path: string;
  readonly type: 'added' | 'removed' | 'changed';
}

/**
 * Where two states of one object differ, apart from what the API server itself sets. Items of keyed lists are compared by their keys,
 * other lists of objects as sets: their order does not count.
 */
export function differences(before: JsonObject, after: JsonObject): readonly Difference[] {
  const type = typedKind(String(before.apiVersion), String(before.kind)) ?? ANY;
  return compare(comparable(before), comparable(after), type, '');
}

const ANY: TypedValue = { type: 'any' };
const SET_BY_SERVER = [
  'uid',
  'creationTimestamp',
  'managedFields',
  'resourceVersion',
  'generation',
  'selfLink',
];

/** The object without random values: the name of the token's volume, and generated names. */
export function comparable(object: JsonObject): JsonObject {
  const { generateName } = metadataOf(object);
  const isOwn = (field: string) =>
    !SET_BY_SERVER.includes(field) && (field !== 'name' || generateName === undefined);
  const metadata = Object.fromEntries(Object.entries(metadataOf(object)).filter(([field]) => isOwn(field)));
  const { status: _, ...rest } = object;
  const text = JSON.stringify({ ...rest, metadata });
  return JSON.parse(text.replace(/"kube-api-access-[a-z0-9]{5}"/g, '"kube-api-access"')) as JsonObject;
}

function compare(before: Json, after: Json, type: TypedValue, path: string): Difference[] {
  if (sameJson(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => {
      const at = path === '' ? key : /^[A-Za-z0-9]+$/.test(key) ? `${path}.${key}` : `${path}[${key}]`;
      return compareMember(before[key], after[key], fieldType(type, key), at);
    });
  }
  if (isJsonArray(before) && isJsonArray(after) && isObjectList(before) && isObjectList(after)) {
    const item = type.type === 'list' ? type.item : ANY;
    const [one, other] = [byKey(before, type), byKey(after, type)];
    return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
      compareMember(one.get(key), other.get(key), item, `${path}[${key}]`),
    );
  }
  return [{ path, type: 'changed' }];
}

function compareMember(
  before: Json | undefined,
  after: Json | undefined,
  type: TypedValue,
  path: string,
): Difference[] {
  if (before === undefined) return after === undefined ? [] : [{ path, type: 'added' }];
  return after === undefined ? [{ path, type: 'removed' }] : compare(before, after, type, path);
}

function fieldType(type: TypedValue, key: string): TypedValue {
  if (type.type === 'struct') return type.fields().get(key)?.type ?? ANY;
  return type.type === 'map' ? type.values : ANY;
}

function isObjectList(list: readonly Json[]): list is readonly JsonObject[] {
  return list.every(isJsonObject);
}

/** All items with the same key count, although the API server rejects them. */
function byKey(list: readonly JsonObject[], type: TypedValue): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const item of list) {
    const key = itemKey(item, type);
    let unique = key;
    for (let count = 2; found.has(unique); count++) unique = `${key} #${count}`;
    found.set(unique, item);
  }
  return found;
}

function itemKey(item: JsonObject, type: TypedValue): string {
  const keys = type.type === 'list' && type.merge === 'map' ? (type as ListType).keys : ['name'];
  const values = keys.flatMap((key) => (item[key] === undefined ? [] : [String(item[key])]));
  return values.length > 0 ? values.join(',') : JSON.stringify(item);
}
