import { cacheByObject } from '../cache.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import { isAbsent, isAtLeast, isCel, isForce, isTokens, namePatternOf, whenOf } from './directive.ts';

/**
 * Evaluates an expression of an overlay. `item` is the list item that a name pattern matched, if the expression is inside one.
 * Undefined means that there is no value.
 */
export type Evaluate = (expression: string, item: Json | undefined) => Json | undefined;

/**
 * Replaces the expressions of an overlay by their values for this object: `$cel` by its value, and parts whose `$when` does not hold by
 * nothing. A name pattern with expressions becomes one item for every match, among the object's items and those that the overlay adds,
 * since `item` differs.
 */
export function resolveExpressions(overlay: JsonObject, object: JsonObject, evaluate: Evaluate): JsonObject {
  return resolveMembers(overlay, object, undefined, evaluate) ?? {};
}

function resolveMembers(
  overlay: JsonObject,
  found: Json | undefined,
  item: Json | undefined,
  evaluate: Evaluate,
): JsonObject | undefined {
  const next: Record<string, Json> = {};
  let isEmpty = true;
  for (const key in overlay) {
    if (key === '$when') continue;
    const current = isJsonObject(found) ? member(found, key) : undefined;
    const value = resolveValue(overlay[key] as Json, current, item, evaluate);
    if (value === undefined) continue;
    setMember(next, key, value);
    isEmpty = false;
  }
  // An overlay that wants nothing must not add an empty map.
  return isEmpty && Object.keys(overlay).length > 0 ? undefined : next;
}

function resolveValue(
  wanted: Json,
  found: Json | undefined,
  item: Json | undefined,
  evaluate: Evaluate,
): Json | undefined {
  if (!containsExpression(wanted)) return wanted;
  if (isJsonArray(wanted)) return resolveList(wanted, isJsonArray(found) ? found : [], item, evaluate);
  if (!isJsonObject(wanted)) return wanted;
  const when = whenOf(wanted);
  if (when !== undefined && evaluate(when, item) !== true) return undefined;
  if (isCel(wanted)) return evaluate(wanted.$cel, item);
  if (isForce(wanted)) return resolved('$force', wanted.$force);
  if (isAtLeast(wanted)) return resolved('$atLeast', wanted.$atLeast);
  if (isAbsent(wanted)) return { $absent: wanted.$absent };
  if (isTokens(wanted)) return { $tokens: wanted.$tokens };
  return resolveMembers(wanted, found, item, evaluate);

  function resolved(directive: string, value: Json): JsonObject | undefined {
    const content = resolveValue(value, undefined, item, evaluate);
    return content === undefined ? undefined : { [directive]: content };
  }
}

function resolveList(
  wanted: readonly Json[],
  found: readonly Json[],
  item: Json | undefined,
  evaluate: Evaluate,
): readonly Json[] | undefined {
  const byName = new Map(found.map((each) => [nameOf(each), each]));
  const isPattern = (each: Json) => namePatternOf(each) !== undefined;
  const items: Json[] = [];
  for (const each of wanted) {
    if (isPattern(each)) continue;
    const own = nameOf(each) === undefined ? undefined : byName.get(nameOf(each));
    const value = resolveValue(each, own, item, evaluate);
    if (value === undefined) continue;
    if (isJsonArray(value) && isCel(each)) for (const element of value) items.push(element);
    else items.push(value);
  }
  const patterns = wanted.filter(isPattern) as JsonObject[];
  if (patterns.some(containsExpression)) {
    const added = items.filter((each) => !isAbsent(each) && !byName.has(nameOf(each)));
    const removed = items.flatMap((each) => (isAbsent(each) ? [nameOf(each.$absent) ?? ''] : []));
    const targets = [...found, ...added].filter((each) => {
      const name = nameOf(each) ?? '';
      return !removed.some((doomed) => matchesNamePattern(doomed, name));
    });
    for (const pattern of patterns) {
      for (const item of resolvePattern(pattern, targets, evaluate)) items.push(item);
    }
  } else items.push(...patterns);
  return items.length === 0 && wanted.length > 0 ? undefined : items;
}

/** One item for every match, in the order of the overlay's patterns: the first one fills. */
function resolvePattern(pattern: JsonObject, targets: readonly Json[], evaluate: Evaluate): readonly Json[] {
  return targets.flatMap((target) => {
    const name = nameOf(target);
    if (name === undefined || !matchesNamePattern(String(pattern.name), name)) return [];
    const when = whenOf(pattern);
    if (when !== undefined && evaluate(when, target) !== true) return [];
    const value = resolveMembers(pattern, target, target, evaluate) ?? {};
    // Only a name is left: nothing is wanted of this item.
    return Object.keys(value).length > 1 ? [{ ...value, name }] : [];
  });
}

/** Whether a value of an overlay depends on an expression, at any depth. */
export function containsExpression(value: Json): boolean {
  return typeof value === 'object' && value !== null && objectContainsExpression(value);
}

const objectContainsExpression = cacheByObject((value: object): boolean => {
  const wanted = value as Json;
  if (isCel(wanted) || whenOf(wanted) !== undefined) return true;
  return Object.values(value).some((child) => containsExpression(child as Json));
});

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}
