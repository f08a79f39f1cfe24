import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { ResourceRef } from '../kube/resource.ts';
import { type FieldType, METADATA, type Struct } from './field-schema.ts';

/** The type of a custom resource by its CustomResourceDefinition; undefined if there is none. */
export function definedType(
  { group, version, kind }: ResourceRef,
  definitions: readonly KubeObject[],
): Struct | undefined {
  for (const { spec } of definitions as unknown as readonly JsonObject[]) {
    const { group: ownGroup, names, versions } = objectOf(spec);
    if (ownGroup !== group || objectOf(names).kind !== kind) continue;
    const served = listOf(versions).map(objectOf);
    const schema = objectOf(served.find(({ name }) => name === version)?.schema).openAPIV3Schema;
    const type = typeOf(objectOf(schema), kind);
    if (type.type !== 'struct' || type.fields === undefined) return undefined;
    return { ...type, fields: new Map([...type.fields, ...COMMON]) };
  }
  return undefined;
}

const ANY: FieldType = { type: 'any' };
const STRING: FieldType = { type: 'string' };
const COMMON: readonly (readonly [string, FieldType])[] = [
  ['apiVersion', STRING],
  ['kind', STRING],
  ['metadata', METADATA],
];

/** Where a schema leaves something open, everything is accepted. */
function typeOf(schema: JsonObject, name: string): FieldType {
  if (schema['x-kubernetes-int-or-string'] === true) return { type: 'intOrString' };
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return ANY;
  switch (schema.type) {
    case 'object':
      return objectType(schema, name);
    case 'array':
      return { type: 'list', item: typeOf(objectOf(schema.items), name) };
    case 'string':
      return stringType(schema);
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: schema.format === 'int32' ? 'int32' : 'int64' };
    case 'number':
      return { type: 'number' };
    default:
      return ANY;
  }
}

function objectType({ properties, additionalProperties }: JsonObject, name: string): FieldType {
  if (isJsonObject(properties ?? null)) {
    const fields = Object.entries(objectOf(properties)).map(
      ([key, field]) => [key, typeOf(objectOf(field), `${name}.${key}`)] as const,
    );
    return { type: 'struct', name, fields: new Map(fields) };
  }
  if (isJsonObject(additionalProperties ?? null))
    return { type: 'map', values: typeOf(objectOf(additionalProperties), name) };
  return ANY;
}

function stringType({ enum: values }: JsonObject): FieldType {
  const words = listOf(values).filter((value): value is string => typeof value === 'string');
  return words.length === 0 ? STRING : { type: 'enum', values: words };
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value ?? null) ? (value as JsonObject) : {};
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value ?? null) ? (value as readonly Json[]) : [];
}
