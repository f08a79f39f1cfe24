import { isJsonArray, isJsonObject, type Json, type JsonObject, PodgraftError } from '../../../sdk/index.ts';
import { type GoField, goType, type StructName } from '../pod-types/go-type.ts';
import { parseYaml } from '../yaml/go-yaml.ts';

/** Reads the text that a template rendered, and checks its types. */
export function readDocument(text: string, template: string): JsonObject {
  const document = parsed(text, template);
  const problem = isJsonObject(document) ? documentProblem(document) : 'expected a map';
  if (problem === undefined) return document as JsonObject;
  throw new PodgraftError('OVERLAY_INVALID', `template "${template}" does not render a Pod: ${problem}`);
}

function parsed(text: string, template: string): Json {
  try {
    return parseYaml(text) ?? {};
  } catch (cause) {
    const reason = (cause as Error).message.split('\n')[0];
    throw new PodgraftError('OVERLAY_INVALID', `template "${template}" renders invalid YAML: ${reason}`, {
      cause,
    });
  }
}

/** Where a rendered template violates the types of a Pod, such as a number instead of a string. */
function documentProblem({ metadata, spec }: JsonObject): string | undefined {
  return problemText(
    under('metadata', structProblem(metadata, 'ObjectMeta')) ?? under('spec', structProblem(spec, 'PodSpec')),
  );
}

/** The same for lists of containers outside a Pod. */
export function containersProblem({ containers, initContainers }: JsonObject): string | undefined {
  const inList = (list: Json | undefined) => {
    if (list === undefined || list === null) return undefined;
    return isJsonArray(list) ? itemProblem(list, 'Container') : mismatch('a list', list);
  };
  return problemText(
    under('containers', inList(containers)) ?? under('initContainers', inList(initContainers)),
  );
}

function problemText(problem: Problem | undefined): string | undefined {
  if (problem === undefined) return undefined;
  const { path, expected, found } = problem;
  // Not the value itself: it may be secret.
  const kind = isJsonArray(found) ? 'a list' : isJsonObject(found) ? 'a map' : `a ${typeof found}`;
  return `expected ${expected} at ${path}, found ${kind}`;
}

interface Problem {
  readonly path: string;
  readonly expected: string;
  readonly found: Json;
}

function structProblem(value: Json | undefined, name: StructName): Problem | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return mismatch('a map', value);
  const { fields } = goType(name);
  for (const key in value) {
    const field = fields.get(key);
    const child = value[key] ?? null;
    // Null removes a field.
    const problem = field === undefined || child === null ? undefined : fieldProblem(child, field);
    if (problem !== undefined) return under(key, problem);
  }
  return undefined;
}

function fieldProblem(value: Json, { kind, struct, target }: GoField): Problem | undefined {
  if (struct !== undefined) {
    if (struct.form !== 'list') return structProblem(value, struct.name);
    return isJsonArray(value) ? itemProblem(value, struct.name) : mismatch('a list', value);
  }
  switch (target ?? kind) {
    case 'string':
      return typeof value === 'string' ? undefined : mismatch('a string', value);
    case 'bool':
      return typeof value === 'boolean' ? undefined : mismatch('true or false', value);
    case 'int32':
    case 'int64':
      return isWhole(value, (target ?? kind) === 'int32' ? 2 ** 31 : 2 ** 63)
        ? undefined
        : mismatch('a whole number', value);
    case 'strings':
      return isJsonArray(value) && value.every(isString) ? undefined : mismatch('a list of strings', value);
    case 'stringMap':
      return isJsonObject(value) && Object.values(value).every(isString)
        ? undefined
        : mismatch('strings', value);
    case 'quantities':
      return isJsonObject(value) && Object.values(value).every(isAmount)
        ? undefined
        : mismatch('quantities', value);
    case 'quantity':
      return isAmount(value) ? undefined : mismatch('a quantity', value);
    default:
      return undefined;
  }
}

function itemProblem(items: readonly Json[], name: StructName): Problem | undefined {
  for (let index = 0; index < items.length; index++) {
    const problem = structProblem(items[index], name);
    if (problem !== undefined) return under(`[${index}]`, problem);
  }
  return undefined;
}

function isWhole(value: Json, limit: number): boolean {
  return Number.isInteger(value) && Number(value) >= -limit && Number(value) < limit;
}

function isString(value: Json): boolean {
  return typeof value === 'string' || value === null;
}

function isAmount(value: Json): boolean {
  return isString(value) || typeof value === 'number';
}

function mismatch(expected: string, found: Json): Problem {
  return { path: '', expected, found };
}

/** Paths are built from the end, so that valid documents need none. */
function under(name: string, problem: Problem | undefined): Problem | undefined {
  if (problem === undefined) return undefined;
  const { path } = problem;
  return { ...problem, path: path === '' || path.startsWith('[') ? name + path : `${name}.${path}` };
}
