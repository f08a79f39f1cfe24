import { closest } from '../closest.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { metadataProblems } from '../kube/metadata-problems.ts';
import { isLess } from '../kube/quantity.ts';
import {
  absentItem,
  DIRECTIVE,
  forcedValue,
  isAbsent,
  isAtLeast,
  isDirective,
  isForce,
  isTokens,
  minimumOf,
} from './directive.ts';
import { type FieldType, fieldsOf, METADATA, type Struct } from './field-schema.ts';
import { ANY_VALUE } from './overlay-expressions.ts';
import type { OverlayProblem } from './overlay-problem.ts';
import { described, scalarProblem } from './scalar-problem.ts';

/**
 * All values of an overlay that the API server would reject or drop: unknown fields, wrong types, wrong enums. Maps and lists in
 * `checked` are skipped.
 */
export function fieldProblems(
  overlay: Json,
  root: Struct,
  start: readonly string[] = [],
  checked: ReadonlySet<Json | undefined> = NONE,
): OverlayProblem[] {
  const problems: OverlayProblem[] = [];
  /** Where the walk is. */
  const path = [...start];
  walk(overlay, root, false);
  return problems;

  /** A forced value is set as it is: directives in it mean nothing. */
  function walk(value: Json, type: FieldType, isForced: boolean): void {
    if (value === null || value === ANY_VALUE || type.type === 'any' || checked.has(value)) return;
    if (!isForced) {
      if (isForce(value)) return walkChild(DIRECTIVE.force, forcedValue(value), type, true);
      if (isAbsent(value)) return;
      if (isTokens(value)) return takesTokens(type) ? undefined : report('"$tokens" is for strings');
      if (isAtLeast(value)) return walkMinimum(minimumOf(value), type);
    }
    switch (type.type) {
      case 'struct':
        return walkFields(value, type, isForced);
      case 'map':
        return walkMembers(value, type.values, isForced);
      case 'list':
        return walkItems(value, type.item, isForced);
      default: {
        const problem = scalarProblem(value, type);
        if (problem !== undefined) report(problem);
      }
    }
  }

  function walkChild(key: string, child: Json, type: FieldType, isForced: boolean): void {
    path.push(key);
    walk(child, type, isForced);
    path.pop();
  }

  function walkMinimum(minimum: Json, type: FieldType): void {
    if (!COMPARABLE.has(type.type)) return report('"$atLeast" is for numbers and quantities');
    walkChild(DIRECTIVE.atLeast, minimum, type, true);
  }

  function walkFields(value: Json, type: Struct, isForced: boolean): void {
    if (!isJsonObject(value)) return expected('a map', value);
    const fields = fieldsOf(type);
    for (const key in value) {
      const field = fields.get(key);
      if (field !== undefined) walkChild(key, value[key] as Json, field, isForced);
      else if (isForced || !isDirective(key)) {
        const message = unknownField(key, type, root);
        problems.push({ path: [...path, key], message, isUnknownField: true });
      }
    }
    if (type.name === 'ResourceRequirements') compareAmounts(value);
    if (type.name === METADATA.name) {
      for (const problem of metadataProblems(withForced(value))) report(problem.message, problem.path);
    }
  }

  /** A request above its limit is rejected. Amounts that depend on the object are left to the merge. */
  function compareAmounts({ requests = null, limits = null }: JsonObject): void {
    if (!isJsonObject(requests) || !isJsonObject(limits)) return;
    for (const [name, request] of Object.entries(requests)) {
      const [least, most] = [amountOf(request), amountOf(member(limits, name) ?? null)];
      if (isLess(most, least)) report(`more than its limit ${described(most ?? '')}`, ['requests', name]);
    }
  }

  function walkMembers(value: Json, type: FieldType, isForced: boolean): void {
    if (!isJsonObject(value)) return expected('a map', value);
    for (const key in value) walkChild(key, value[key] as Json, type, isForced);
  }

  function walkItems(value: Json, type: FieldType, isForced: boolean): void {
    if (!isJsonArray(value)) return expected('a list', value);
    for (const [index, item] of value.entries()) {
      path.push(String(index));
      if (!isForced && isAbsent(item)) walkChild(DIRECTIVE.absent, absentItem(item), type, false);
      else walk(item, type, isForced);
      path.pop();
    }
  }

  function expected(type: string, found: Json): void {
    report(`expected ${type}, found ${described(found)}`);
  }

  function report(message: string, below: readonly string[] = []): void {
    problems.push({ path: [...path, ...below], message });
  }
}

const NONE: ReadonlySet<Json | undefined> = new Set();

const COMPARABLE: ReadonlySet<string> = new Set([
  'int32',
  'int64',
  'number',
  'quantity',
  'port',
  'intOrString',
  'portOrName',
]);

function amountOf(wanted: Json): string | number | undefined {
  const value = isForce(wanted) ? forcedValue(wanted) : wanted;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function takesTokens({ type }: FieldType): boolean {
  return type === 'string';
}

function unknownField(key: string, parent: Struct, root: Struct): string {
  const names = [...fieldsOf(parent).keys()];
  const misspelt = names.find((name) => name.toLowerCase() === key.toLowerCase());
  const guess = misspelt ?? pathOf(key, root) ?? closest(key, names);
  return `unknown field "${key}"${guess === undefined ? '' : `, did you mean "${guess}"?`}`;
}

/** Where a kind has a field of this name: the shallowest place, such as `spec.template.spec.containers`. */
function pathOf(key: string, root: Struct): string | undefined {
  const seen = new Set<string>();
  let level: { type: Struct; path: string }[] = [{ type: root, path: '' }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, path } of level) {
      if (seen.has(type.name)) continue;
      seen.add(type.name);
      const fields = fieldsOf(type);
      if (fields.has(key)) return `${path}${key}`;
      for (const [name, field] of fields) {
        const inner = field.type === 'list' ? field.item : field;
        if (inner.type === 'struct') {
          next.push({ type: inner, path: `${path}${name}${inner === field ? '' : '[]'}.` });
        }
      }
    }
    level = next;
  }
  return undefined;
}

/** Of a value that is not known yet, only the key is checked. */
function withForced({ labels = null, annotations = null }: JsonObject): JsonObject {
  return { labels: forcedMembers(labels), annotations: forcedMembers(annotations) };
}

function forcedMembers(members: Json): Json {
  const values = isForce(members) ? forcedValue(members) : members;
  if (!isJsonObject(values)) return values;
  const isPlain = (value: Json) => value !== ANY_VALUE && !isForce(value);
  if (Object.values(values).every(isPlain)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const forced = isForce(value) ? forcedValue(value) : value;
      return [key, forced === ANY_VALUE ? '' : forced];
    }),
  );
}
