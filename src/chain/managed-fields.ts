import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
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
  const metadata = without(metadataOf(object), NOT_OWNED_METADATA);
  return fieldSet({ ...without(object, NOT_OWNED), metadata }, type);
}

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

/** The `FieldsV1` of a value. */
function fieldSet(value: Json, type: TypedValue): JsonObject {
  const set: Record<string, Json> = {};
  if (isJsonObject(value) && type.type === 'struct' && !type.atomic) {
    const fields = type.fields();
    for (const key in value) {
      const field = fields.get(key);
      const child = value[key] as Json;
      if (field === undefined || child === null) continue;
      const inner = fieldSet(child, field.type);
      if (isOwned(child, inner, field.type)) set[`f:${key}`] = inner;
    }
  } else if (isJsonObject(value) && type.type === 'map' && !type.atomic) {
    set['.'] = {};
    for (const key in value) set[`f:${key}`] = fieldSet(value[key] as Json, type.values);
  } else if (isJsonArray(value) && type.type === 'list' && type.merge === 'map') {
    for (const item of value) {
      if (!isJsonObject(item)) continue;
      const keys = Object.fromEntries(type.keys.map((key) => [key, item[key] ?? null]));
      const inner = fieldSet(item, type.item) as Record<string, Json>;
      inner['.'] = {};
      set[`k:${JSON.stringify(keys)}`] = inner;
    }
  } else if (isJsonArray(value) && type.type === 'list' && type.merge === 'set') {
    set['.'] = {};
    for (const item of value) set[`v:${JSON.stringify(item)}`] = {};
  }
  return set;
}

/** Empty structs that Go writes always are not owned by anyone, unless the value itself is there by choice. */
function isOwned(value: Json, inner: JsonObject, type: TypedValue): boolean {
  return (
    type.type !== 'struct' ||
    Object.keys(inner).length > 0 ||
    (isJsonObject(value) && type.name !== 'ObjectMeta')
  );
}
