import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { sameJson } from '../json/same-json.ts';
import { apiVersionOf } from '../kube/resource.ts';
import { type StructType, type TypedValue, typedKind } from '../kube/typed/schema.ts';
import type { Attributes } from '../policy/attributes.ts';
import { metadataOf } from '../policy/cluster-objects.ts';

/** The object with an entry for the manager of this request, as the API server adds it before admission. */
export function withManagedFields(request: Attributes, time: string): JsonObject {
  const object = request.object as JsonObject;
  const type = typedKind(apiVersionOf(request.kind), request.kind.kind);
  if (type === undefined || !isJsonObject(object.metadata)) return object;
  const manager = request.options?.fieldManager;
  const entry = {
    manager: typeof manager === 'string' ? manager : 'unknown',
    operation: 'Update',
    apiVersion: apiVersionOf(request.kind),
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: ownedFields(object, type),
  };
  return { ...object, metadata: { ...metadataOf(object), managedFields: [entry] } };
}

/**
 * Whether an update gives its manager fields, which refreshes the time of the manager's entry: it adds or changes some. Removing fields
 * does not.
 */
export function takesFields({ object, oldObject, kind }: Attributes): boolean {
  if (object === null || oldObject === null) return object !== oldObject;
  const type = typedKind(apiVersionOf(kind), kind.kind);
  return type === undefined ? !sameJson(object, oldObject) : isTaken(owned(object), owned(oldObject), type);
}

function isTaken(value: Json, before: Json | undefined, type: TypedValue): boolean {
  if (before === undefined) return true;
  if (value === before) return false;
  if (isJsonObject(value) && isJsonObject(before)) {
    if (type.type === 'struct' && !type.atomic) {
      const fields = type.fields();
      return Object.keys(value).some((key) => {
        const field = fields.get(key);
        return field !== undefined && isTaken(value[key] as Json, before[key], field.type);
      });
    }
    if (type.type === 'map' && !type.atomic)
      return Object.keys(value).some((key) => isTaken(value[key] as Json, member(before, key), type.values));
  }
  if (isJsonArray(value) && isJsonArray(before) && type.type === 'list' && type.merge !== 'atomic') {
    const isSame = (one: Json, other: Json) =>
      type.merge === 'map' && isJsonObject(one) && isJsonObject(other)
        ? type.keys.every((key) => one[key] === other[key])
        : sameJson(one, other);
    return value.some((item) =>
      isTaken(
        item,
        before.find((other) => isSame(item, other)),
        type.item,
      ),
    );
  }
  return !sameJson(value, before);
}

const NOT_OWNED = ['apiVersion', 'kind', 'status'];
const NOT_OWNED_METADATA = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'managedFields',
  'generation',
];

function ownedFields(object: JsonObject, type: StructType): JsonObject {
  return fieldSet(owned(object), type);
}

function owned(object: JsonObject): JsonObject {
  return { ...without(object, NOT_OWNED), metadata: without(metadataOf(object), NOT_OWNED_METADATA) };
}

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

/** Shared by all leaves, which are most of a set. */
const LEAF: JsonObject = {};

/** The `FieldsV1` of a value. */
function fieldSet(value: Json, type: TypedValue): JsonObject {
  if (isJsonObject(value)) {
    if (type.type === 'struct' && !type.atomic) return structSet(value, type);
    if (type.type !== 'map' || type.atomic) return LEAF;
    const set: Record<string, Json> = { '.': LEAF };
    for (const key in value) set[`f:${key}`] = fieldSet(value[key] as Json, type.values);
    return set;
  }
  if (!isJsonArray(value) || type.type !== 'list' || type.merge === 'atomic') return LEAF;
  const set: Record<string, Json> = type.merge === 'set' ? { '.': LEAF } : {};
  for (const item of value) {
    if (type.merge === 'set') set[`v:${JSON.stringify(item)}`] = LEAF;
    else if (isJsonObject(item)) {
      const keys = type.keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(item[key] ?? null)}`);
      set[`k:{${keys.join(',')}}`] = { ...fieldSet(item, type.item), '.': LEAF };
    }
  }
  return set;
}

function structSet(value: JsonObject, type: StructType): JsonObject {
  const set: Record<string, Json> = {};
  const fields = type.fields();
  for (const key in value) {
    const field = fields.get(key);
    const child = value[key] as Json;
    if (field === undefined || child === null) continue;
    const inner = typeof child === 'object' ? fieldSet(child, field.type) : LEAF;
    if (inner !== LEAF || isOwned(child, inner, field.type)) set[field.ownedAs ?? `f:${key}`] = inner;
  }
  return set;
}

/** Empty structs that Go always writes have no owner, unless the value was set explicitly. */
function isOwned(value: Json, inner: JsonObject, type: TypedValue): boolean {
  return (
    type.type !== 'struct' ||
    Object.keys(inner).length > 0 ||
    (isJsonObject(value) && type.name !== 'ObjectMeta')
  );
}
