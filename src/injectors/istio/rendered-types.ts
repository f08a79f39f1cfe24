import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { GoField, GoType } from './go-type.ts';
import { objectMeta, podSpec } from './pod-types.ts';

/** Where a rendered template says something that is none of a Pod's types, such as a number for a string. */
export function typeProblem(document: JsonObject): string | undefined {
  const metadata = structProblem(document.metadata, objectMeta);
  if (metadata !== undefined) return told(under('metadata', metadata));
  const spec = structProblem(document.spec, podSpec);
  return spec && told(under('spec', spec));
}

/** The path grows on the way up, so that none is made where all is well. */
interface Problem {
  readonly path: string;
  readonly expected: string;
  readonly found: Json;
}

function structProblem(value: Json | undefined, type: GoType): Problem | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return mistake('a map', value);
  for (const key of Object.keys(value)) {
    const field = type.byJsonName.get(key);
    const child = value[key] ?? null;
    const problem = field === undefined || child === null ? undefined : fieldProblem(child, field);
    if (problem !== undefined) return under(key, problem);
  }
  return undefined;
}

function fieldProblem(value: Json, field: GoField): Problem | undefined {
  if (field.type !== undefined) {
    if (field.shape !== 'list') return structProblem(value, field.type);
    if (!isJsonArray(value)) return mistake('a list', value);
    return itemProblem(value, field.type);
  }
  switch (field.kind) {
    case 'string':
      return typeof value === 'string' ? undefined : mistake('a string', value);
    case 'bool':
      return typeof value === 'boolean' ? undefined : mistake('true or false', value);
    case 'int32':
    case 'int64':
      return Number.isInteger(value) ? undefined : mistake('a whole number', value);
    case 'strings':
      return isJsonArray(value) && value.every(isText) ? undefined : mistake('a list of strings', value);
    case 'stringMap':
      return isJsonObject(value) && Object.values(value).every(isText)
        ? undefined
        : mistake('strings', value);
    default:
      return undefined;
  }
}

/** Items that many Pods get are the same objects: see `remembered`. */
const proven = new WeakMap<JsonObject, GoType>();

function itemProblem(items: readonly Json[], type: GoType): Problem | undefined {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (isJsonObject(item) && proven.get(item) === type) continue;
    const problem = structProblem(item, type);
    if (problem !== undefined) return under(`[${index}]`, problem);
    if (isJsonObject(item)) proven.set(item, type);
  }
  return undefined;
}

/** A null deletes. */
function isText(value: Json): boolean {
  return typeof value === 'string' || value === null;
}

function mistake(expected: string, found: Json): Problem {
  return { path: '', expected, found };
}

function under(name: string, { path, ...problem }: Problem): Problem {
  return { ...problem, path: path === '' || path.startsWith('[') ? name + path : `${name}.${path}` };
}

/** Tells the kind of what is there, not the value: env may hold what nobody should read in a log. */
function told({ path, expected, found }: Problem): string {
  const kind = isJsonArray(found) ? 'a list' : isJsonObject(found) ? 'a map' : `a ${typeof found}`;
  return `expected ${expected} at ${path}, found ${kind}`;
}
