import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, setMember } from '../json/member.ts';
import { sameJson } from '../json/same-json.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import {
  absentItem,
  atLeast,
  DIRECTIVE,
  expressionOf,
  force,
  forcedValue,
  isAbsent,
  isAtLeast,
  isCel,
  isForce,
  isTokens,
  minimumOf,
  namePatternOf,
  whenOf,
  withoutWhen,
} from './directive.ts';

/** Evaluates compiled expressions of an overlay. `item` is the list item that a name pattern matched, if they are inside one. */
export interface Evaluator<E> {
  holds(condition: E, item: Json | undefined): boolean;
  /** Undefined means no value. `found` is what the object has in its place. */
  value(expression: E, item: Json | undefined, found: Json | undefined): Json | undefined;
}

/** Compiles one expression. `keys` lead to its place, through the items of lists; `$force` and `$atLeast` are among them. */
export type CompileExpression<E> = (expression: string, keys: readonly string[]) => E;

/** Resolves an overlay to what it still changes in one object, without expressions. Undefined if it changes nothing. */
export type ResolveExpressions<E> = (object: JsonObject, evaluator: Evaluator<E>) => JsonObject | undefined;

/**
 * Compiles an overlay. The result replaces its expressions by their values for an object: `$cel` by its value, and parts whose `$when`
 * does not hold by nothing. A name pattern with expressions becomes one item for every match, among the object's items and those that the
 * overlay adds, since `item` differs. Parts without expressions are the overlay's own (`===`), so that the merge skips them once the object
 * has them.
 */
export function expressionResolver<E>(
  overlay: JsonObject,
  compile: CompileExpression<E>,
): ResolveExpressions<E> {
  const resolve = resolverFor(overlay, [], compile, false);
  if (resolve === undefined) return () => overlay;
  return (object, evaluator) => resolve(object, undefined, evaluator) as JsonObject | undefined;
}

/** Resolves one part of an overlay. `found` is what the object has in its place. Undefined means that nothing is wanted. */
type Resolver<E> = (
  found: Json | undefined,
  item: Json | undefined,
  evaluator: Evaluator<E>,
) => Json | undefined;

/**
 * Undefined if the part has no expressions. A part that `isWhole` is returned in full; other parts without values that the object already
 * has, which are all of them when an injector is called for the second time.
 */
function resolverFor<E>(
  wanted: Json,
  keys: readonly string[],
  compile: CompileExpression<E>,
  isWhole: boolean,
): Resolver<E> | undefined {
  if (!containsExpression(wanted)) return undefined;
  if (isJsonArray(wanted)) return listResolver(wanted, keys, compile, isWhole);
  const content = contentResolver(wanted as JsonObject, keys, compile, isWhole);
  const when = whenOf(wanted);
  if (when === undefined) return content;
  const condition = compile(when, keys);
  return (found, item, evaluator) =>
    evaluator.holds(condition, item) ? content(found, item, evaluator) : undefined;
}

/** Of a part whose condition holds. */
function contentResolver<E>(
  wanted: JsonObject,
  keys: readonly string[],
  compile: CompileExpression<E>,
  isWhole: boolean,
): Resolver<E> {
  if (isCel(wanted)) {
    const expression = compile(expressionOf(wanted), keys);
    return (found, item, evaluator) => evaluator.value(expression, item, found);
  }
  if (isForce(wanted)) {
    return directiveResolver(force, forcedValue(wanted), [...keys, DIRECTIVE.force], compile);
  }
  if (isAtLeast(wanted)) {
    return directiveResolver(atLeast, minimumOf(wanted), [...keys, DIRECTIVE.atLeast], compile);
  }
  const rest = withoutWhen(wanted);
  return isAbsent(wanted) || isTokens(wanted) ? always(rest) : membersResolver(rest, keys, compile, isWhole);
}

function directiveResolver<E>(
  directive: (value: Json) => Json,
  value: Json,
  keys: readonly string[],
  compile: CompileExpression<E>,
): Resolver<E> {
  const resolve = resolverFor(value, keys, compile, true);
  if (resolve === undefined) return always(directive(value));
  return (found, item, evaluator) => {
    const content = resolve(found, item, evaluator);
    return content === undefined ? undefined : directive(content);
  };
}

function always(value: Json | undefined): () => Json | undefined {
  return () => value;
}

/** An overlay that wants nothing must not add an empty map. */
function membersResolver<E>(
  members: JsonObject,
  keys: readonly string[],
  compile: CompileExpression<E>,
  isWhole: boolean,
): Resolver<E> {
  const names = Object.keys(members);
  // Parts that belong together, such as requests and limits, are checked and fitted together.
  const isPartWhole = isWhole || names.length > 1;
  const parts = names.map((key) => {
    const value = members[key] as Json;
    return { key, value, resolve: resolverFor(value, [...keys, key], compile, isPartWhole) };
  });
  if (parts.every(({ resolve }) => resolve === undefined)) {
    if (isWhole) return always(names.length === 0 ? undefined : members);
    return (found) => (hasMembers(found, members) ? undefined : members);
  }
  const [only] = parts;
  if (only?.resolve !== undefined && names.length === 1) {
    return memberResolver(only.key, only.resolve, isWhole);
  }
  return (found, item, evaluator) => {
    const values = new Array<Json | undefined>(parts.length);
    let isWanting = false;
    for (let index = 0; index < parts.length; index++) {
      const { key, value: own, resolve } = parts[index] as (typeof parts)[number];
      const there = memberOf(found, key);
      const value = resolve === undefined ? own : resolve(there, item, evaluator);
      values[index] = value;
      if (value !== undefined && (isWhole || value !== there)) isWanting = true;
    }
    if (!isWanting) return undefined;
    const next: Record<string, Json> = {};
    for (let index = 0; index < parts.length; index++) {
      const value = values[index];
      if (value !== undefined) setMember(next, parts[index]?.key ?? '', value);
    }
    return next;
  };
}

/** The upper levels of most overlays have a single member. */
function memberResolver<E>(key: string, resolve: Resolver<E>, isWhole: boolean): Resolver<E> {
  return (found, item, evaluator) => {
    const there = memberOf(found, key);
    const value = resolve(there, item, evaluator);
    if (value === undefined || (value === there && !isWhole)) return undefined;
    const next: Record<string, Json> = {};
    setMember(next, key, value);
    return next;
  };
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) ? member(value, key) : undefined;
}

/** Whether an earlier call has added all of them. */
function hasMembers(found: Json | undefined, members: JsonObject): boolean {
  for (const key in members) if (memberOf(found, key) !== members[key]) return false;
  return true;
}

/** Items in the order of the overlay, then those of its patterns: the first one fills. */
function listResolver<E>(
  wanted: readonly Json[],
  keys: readonly string[],
  compile: CompileExpression<E>,
  isWhole: boolean,
): Resolver<E> {
  const isPattern = (each: Json) => namePatternOf(each) !== undefined;
  const parts = wanted
    .filter((each) => !isPattern(each))
    .map((each) => ({
      value: each,
      resolve: resolverFor(each, keys, compile, true),
      name: nameOf(each),
      isCel: isCel(each),
    }));
  const patterns = wanted.filter(isPattern) as JsonObject[];
  const patternResolvers = patterns.some(containsExpression)
    ? patterns.map((pattern) => patternResolver(pattern, keys, compile, isWhole))
    : [];
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
    if (items.length === 0 || (!isWhole && containsAll(current, items))) return undefined;
    return items;
  };
}

/** The last one, as in the merge of most lists. Other lists depend on their shape, so the whole item is kept. */
function itemNamed(name: string | undefined, items: readonly Json[]): Json | undefined {
  return name === undefined ? undefined : items.findLast((each) => nameOf(each) === name);
}

/** Whether a list has exactly these few items, among others. Lists of texts are left to the merge: many of them are set as a whole. */
function containsAll(found: readonly Json[], wanted: readonly Json[]): boolean {
  if (wanted.length > MOST_COMPARED) return false;
  for (const item of wanted) if (!isJsonObject(item) || !contains(found, item)) return false;
  return true;
}

/** An expression may give thousands, and the object may have as many. */
const MOST_COMPARED = 16;

/** From the end, where items are added. */
function contains(found: readonly Json[], wanted: JsonObject): boolean {
  for (let index = found.length - 1; index >= 0; index--) {
    if (sameJson(wanted, found[index] as Json)) return true;
  }
  return false;
}

/** The object's items and those that the overlay adds, without those that it removes. */
function patternTargets(found: readonly Json[], wanted: readonly Json[]): readonly Json[] {
  const names = new Set(found.map(nameOf));
  const added = wanted.filter((each) => !isAbsent(each) && !names.has(nameOf(each)));
  const removed = wanted.flatMap((each) => (isAbsent(each) ? [nameOf(absentItem(each)) ?? ''] : []));
  return [...found, ...added].filter((each) => {
    const name = nameOf(each) ?? '';
    return !removed.some((pattern) => matchesNamePattern(pattern, name));
  });
}

/** Of a pattern, for each item of a list. Nothing is wanted of an item if only a name is left. */
function patternResolver<E>(
  wanted: JsonObject,
  keys: readonly string[],
  compile: CompileExpression<E>,
  isWhole: boolean,
): Resolver<E> {
  const { name: pattern, ...members } = withoutWhen(wanted);
  const when = whenOf(wanted);
  const condition = when === undefined ? undefined : compile(when, keys);
  const resolve = membersResolver(members, keys, compile, isWhole);
  return (target, item, evaluator) => {
    const name = nameOf(target ?? null);
    if (name === undefined || !matchesNamePattern(pattern as string, name)) return undefined;
    if (condition !== undefined && !evaluator.holds(condition, item)) return undefined;
    const value = resolve(target, item, evaluator) as JsonObject | undefined;
    if (value === undefined) return undefined;
    const next: Record<string, Json> = { name };
    for (const key in value) setMember(next, key, value[key] as Json);
    return next;
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
