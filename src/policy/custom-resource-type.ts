import { cacheByObject } from '../cache.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { metadataType, type StructType, type TypedField, type TypedValue } from '../kube/typed/schema.ts';

/** The type of a custom resource, by the `openAPIV3Schema` of its definition. */
export const customResourceType: (schema: JsonObject) => StructType = cacheByObject((schema: JsonObject) => {
  const root = struct(schema, 'Object');
  const fields = new Map(root.fields());
  fields.set('apiVersion', field({ type: 'string' }));
  fields.set('kind', field({ type: 'string' }));
  fields.set('metadata', field(metadataType()));
  return { ...root, fields: () => fields };
});

function struct(schema: JsonObject, name: string): StructType {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const fields = new Map(
    Object.entries(properties).map(([key, child]): [string, TypedField] => [
      key,
      field(typeOf(isJsonObject(child) ? child : {}, key)),
    ]),
  );
  return {
    type: 'struct',
    name,
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields: () => fields,
    written: () => [],
    open: schema['x-kubernetes-preserve-unknown-fields'] === true,
  };
}

/** Custom resources are kept as they are: nothing is omitted, and nothing is written that is not there. */
function field(type: TypedValue): TypedField {
  return { type, written: false, pointer: true };
}

function typeOf(schema: JsonObject, name: string): TypedValue {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: 'intOrString' };
  switch (schema.type) {
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'int64' };
    case 'number':
      return { type: 'number' };
    case 'array':
      return listType(schema, name);
    case 'object': {
      const values = schema.additionalProperties;
      if (!isJsonObject(values)) return struct(schema, name);
      return {
        type: 'map',
        values: typeOf(values, name),
        atomic: schema['x-kubernetes-map-type'] === 'atomic',
      };
    }
    default:
      return { type: 'any' };
  }
}

function listType(schema: JsonObject, name: string): TypedValue {
  const kind = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  return {
    type: 'list',
    item: typeOf(isJsonObject(schema.items) ? schema.items : {}, name),
    merge: kind === 'map' ? 'map' : kind === 'set' ? 'set' : 'atomic',
    keys: isJsonArray(keys) ? keys.map(String) : [],
  };
}

/** The object with the defaults of its schema. */
export function withSchemaDefaults(value: Json, schema: JsonObject): Json {
  if (isJsonObject(value)) {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const next: Record<string, Json> = { ...value };
    for (const [key, child] of Object.entries(properties)) {
      if (!isJsonObject(child)) continue;
      const found = member(value, key) ?? child.default;
      if (found !== undefined) setMember(next, key, withSchemaDefaults(found, child));
    }
    return next;
  }
  if (isJsonArray(value) && isJsonObject(schema.items)) {
    const { items } = schema;
    return value.map((item) => withSchemaDefaults(item, items));
  }
  return value;
}

/** The object without fields that its schema does not declare, with their paths. */
export function pruned(
  value: Json,
  type: TypedValue,
  path = '',
): { readonly value: Json; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  return { value: prune(value, type, path), unknown };

  function prune(part: Json, partType: TypedValue, at: string): Json {
    if (isJsonArray(part)) {
      return partType.type === 'list'
        ? part.map((item, index) => prune(item, partType.item, `${at}[${index}]`))
        : part;
    }
    if (!isJsonObject(part)) return part;
    if (partType.type !== 'struct' && partType.type !== 'map') return part;
    const next: Record<string, Json> = {};
    for (const key of Object.keys(part)) {
      const inside = at === '' ? key : `${at}.${key}`;
      const child = partType.type === 'map' ? partType.values : partType.fields().get(key)?.type;
      if (child !== undefined) setMember(next, key, prune(part[key] as Json, child, inside));
      else if (partType.type === 'struct' && partType.open) setMember(next, key, part[key] as Json);
      else unknown.push(inside);
    }
    return next;
  }
}
