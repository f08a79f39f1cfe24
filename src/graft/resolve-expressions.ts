import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import { isAbsent, isAtLeast, isCel, isForce, isTokens, namePatternOf, whenOf } from './directive.ts';

/** Evaluates the expressions of an overlay. `item` is the list item that a name pattern matched, if they are inside one. */
export interface Evaluator {
  holds(condition: string, item: Json | undefined): boolean;
  /** Undefined means that there is no value. `found` is what the object has in its place. */
  value(expression: string, item: Json | undefined, found: Json | undefined): Json | undefined;
}

/** Makes of an overlay what it wants of one object, without expressions. */
export type ResolveExpressions = (object: JsonObject, evaluator: Evaluator) => JsonObject;

/**
 * Compiles an overlay. The result replaces its expressions by their values for an object: `$cel` by its value, and parts whose `$when`
 * does not hold by nothing. A name pattern with expressions becomes one item for every match, among the object's items and those that the
 * overlay adds, since `item` differs. Parts without expressions are the overlay's own (`===`), so that the merge skips them once the object
 * has them.
 */
export function expressionResolver(overlay: JsonObject): ResolveExpressions {
  const resolve = resolverFor(overlay);
  if (resolve === undefined) return () => overlay;
  return (object, evaluator) => (resolve(object, undefined, evaluator) ?? {}) as JsonObject;
}

/** Resolves one part of an overlay. `found` is what the object has in its place. Undefined means that nothing is wanted. */
type Resolver = (found: Json | undefined, item: Json | undefined, evaluator: Evaluator) => Json | undefined;

/** Undefined if the part has no expressions. */
function resolverFor(wanted: Json): Resolver | undefined {
  if (!containsExpression(wanted)) return undefined;
  if (isJsonArray(wanted)) return listResolver(wanted);
  const content = contentResolver(wanted as JsonObject);
  const when = whenOf(wanted);
  if (when === undefined) return content;
  return (found, item, evaluator) =>
    evaluator.holds(when, item) ? content(found, item, evaluator) : undefined;
}

/** Of a part whose condition holds. */
function contentResolver(wanted: JsonObject): Resolver {
  if (isCel(wanted)) return (found, item, evaluator) => evaluator.value(wanted.$cel, item, found);
  if (isForce(wanted)) return directiveResolver('$force', wanted.$force);
  if (isAtLeast(wanted)) return directiveResolver('$atLeast', wanted.$atLeast);
  const { $when: _, ...rest } = wanted;
  return isAbsent(wanted) || isTokens(wanted) ? always(rest) : membersResolver(rest);
}

function directiveResolver(directive: string, value: Json): Resolver {
  const resolve = resolverFor(value);
  if (resolve === undefined) return always({ [directive]: value });
  return (found, item, evaluator) => {
    const content = resolve(found, item, evaluator);
    return content === undefined ? undefined : { [directive]: content };
  };
}

function always(value: Json | undefined): Resolver {
  return () => value;
}

/** An overlay that wants nothing must not add an empty map. */
function membersResolver(members: JsonObject): Resolver {
  const parts = Object.keys(members).map((key) => {
    const value = members[key] as Json;
    return { key, value, resolve: resolverFor(value) };
  });
  if (parts.every(({ resolve }) => resolve === undefined)) {
    return always(parts.length === 0 ? undefined : members);
  }
  return (found, item, evaluator) => {
    let next: Record<string, Json> | undefined;
    for (const part of parts) {
      const { key, resolve } = part;
      const value = resolve === undefined ? part.value : resolve(memberOf(found, key), item, evaluator);
      if (value === undefined) continue;
      next ??= {};
      setMember(next, key, value);
    }
    return next;
  };
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? member(value, key) : undefined;
}

/** Items in the order of the overlay, then those of its patterns: the first one fills. */
function listResolver(wanted: readonly Json[]): Resolver {
  const isPattern = (each: Json) => namePatternOf(each) !== undefined;
  const parts = wanted
    .filter((each) => !isPattern(each))
    .map((each) => ({ value: each, resolve: resolverFor(each), name: nameOf(each), isCel: isCel(each) }));
  const patterns = wanted.filter(isPattern) as JsonObject[];
  const patternResolvers = patterns.some(containsExpression) ? patterns.map(patternResolver) : [];
  return (found, item, evaluator) => {
    const current = isJsonArray(found) ? found : [];
    const items: Json[] = [];
    for (const { value: own, resolve, name, isCel } of parts) {
      const value = resolve === undefined ? own : resolve(itemNamed(name, current), item, evaluator);
      if (value === undefined) continue;
      if (isJsonArray(value) && isCel) for (const element of value) items.push(element);
      else items.push(value);
    }
    if (patternResolvers.length === 0) {
      for (const pattern of patterns) items.push(pattern);
    } else {
      const targets = items.length === 0 ? current : patternTargets(current, items);
      for (const resolve of patternResolvers) {
        for (const target of targets) {
          const value = resolve(target, target, evaluator);
          if (value !== undefined) items.push(value);
        }
      }
    }
    return items.length === 0 ? undefined : items;
  };
}

/** The last one, as in the merge. */
function itemNamed(name: string | undefined, items: readonly Json[]): Json | undefined {
  return name === undefined ? undefined : items.findLast((each) => nameOf(each) === name);
}

/** The object's items and those that the overlay adds, without those that it removes. */
function patternTargets(found: readonly Json[], wanted: readonly Json[]): readonly Json[] {
  const names = new Set(found.map(nameOf));
  const added = wanted.filter((each) => !isAbsent(each) && !names.has(nameOf(each)));
  const removed = wanted.flatMap((each) => (isAbsent(each) ? [nameOf(each.$absent) ?? ''] : []));
  return [...found, ...added].filter((each) => {
    const name = nameOf(each) ?? '';
    return !removed.some((doomed) => matchesNamePattern(doomed, name));
  });
}

/** Of a pattern, for each item of a list. Nothing is wanted of an item if only a name is left. */
function patternResolver({ name: pattern, $when, ...members }: JsonObject): Resolver {
  const when = whenOf({ $when: $when ?? null });
  const resolve = membersResolver(members);
  return (target, item, evaluator) => {
    const name = nameOf(target ?? null);
    if (name === undefined || !matchesNamePattern(pattern as string, name)) return undefined;
    if (when !== undefined && !evaluator.holds(when, item)) return undefined;
    const value = resolve(target, item, evaluator) as JsonObject | undefined;
    return value === undefined ? undefined : { name, ...value };
  };
}

/** Whether a value of an overlay depends on an expression, at any depth. */
export function containsExpression(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isCel(value) || whenOf(value) !== undefined) return true;
  return Object.values(value).some(containsExpression);
}

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}
