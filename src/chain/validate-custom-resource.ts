import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type FieldError, notSupported, required } from '../kube/field-error.ts';

/** Validation of a custom resource by its schema: types, enums and required fields. Patterns, bounds and rules are not checked. */
export function validateCustomResource(object: JsonObject, schema: JsonObject): FieldError[] {
  const { apiVersion: _, kind: __, metadata: ___, ...own } = object;
  return check(own, { ...schema, required: [] }, '');
}

function check(value: Json, schema: JsonObject, path: string): FieldError[] {
  const found = typeOf(value);
  const { type } = schema;
  if (value === null && schema.nullable === true) return [];
  if (typeof type === 'string' && type !== found && !(type === 'number' && found === 'integer')) {
    const message = `Invalid value: "${found}": ${path} in body must be of type ${type}: "${found}"`;
    return [{ reason: 'FieldValueTypeInvalid', message, field: path }];
  }
  const allowed = isJsonArray(schema.enum) ? schema.enum.map(String) : undefined;
  if (allowed !== undefined && !allowed.includes(String(value))) return [notSupported(path, value, allowed)];
  if (isJsonObject(value)) return checkMembers(value, schema, path);
  if (!isJsonArray(value) || !isJsonObject(schema.items)) return [];
  const { items } = schema;
  return value.flatMap((item, index) => check(item, items, `${path}[${index}]`));
}

function checkMembers(object: JsonObject, schema: JsonObject, path: string): FieldError[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const values = isJsonObject(schema.additionalProperties) ? schema.additionalProperties : undefined;
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const missing = (isJsonArray(schema.required) ? schema.required : [])
    .map(String)
    .filter((key) => !(key in object));
  return [
    ...missing.map((key) => required(at(key))),
    ...Object.keys(object).flatMap((key) => {
      const child = isJsonObject(properties[key]) ? (properties[key] as JsonObject) : values;
      return child === undefined ? [] : check(object[key] as Json, child, at(key));
    }),
  ];
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}
