import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member } from '../../json/member.ts';
import type { GoField, GoType } from './go-type.ts';
import { objectMeta, podSpec } from './pod-types.ts';

/** Where a rendered template says something that is none of a Pod's types, such as a number for a string. */
export function typeProblem(document: JsonObject): string | undefined {
  return (
    structProblem(document.metadata, objectMeta, 'metadata') ?? structProblem(document.spec, podSpec, 'spec')
  );
}

function structProblem(value: Json | undefined, type: GoType, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return mistake(path, 'a map', value);
  for (const field of type.fields) {
    const child = member(value, field.jsonName);
    if (child === undefined || child === null) continue;
    const problem = fieldProblem(child, field, `${path}.${field.jsonName}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fieldProblem(value: Json, field: GoField, path: string): string | undefined {
  if (field.type !== undefined) {
    if (field.shape !== 'list') return structProblem(value, field.type, path);
    if (!isJsonArray(value)) return mistake(path, 'a list', value);
    for (const [index, item] of value.entries()) {
      const problem = structProblem(item, field.type, `${path}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  switch (field.kind) {
    case 'string':
      return typeof value === 'string' ? undefined : mistake(path, 'a string', value);
    case 'bool':
      return typeof value === 'boolean' ? undefined : mistake(path, 'true or false', value);
    case 'int32':
    case 'int64':
      return Number.isInteger(value) ? undefined : mistake(path, 'a whole number', value);
    case 'strings':
      return isJsonArray(value) && value.every(isText)
        ? undefined
        : mistake(path, 'a list of strings', value);
    case 'stringMap':
      return isJsonObject(value) && Object.values(value).every(isText)
        ? undefined
        : mistake(path, 'strings', value);
    default:
      return undefined;
  }
}

/** A null deletes. */
function isText(value: Json): boolean {
  return typeof value === 'string' || value === null;
}

/** Tells the kind of what is there, not the value: env may hold what nobody should read in a log. */
function mistake(path: string, expected: string, value: Json): string {
  const found = isJsonArray(value) ? 'a list' : isJsonObject(value) ? 'a map' : `a ${typeof value}`;
  return `expected ${expected} at ${path}, found ${found}`;
}
