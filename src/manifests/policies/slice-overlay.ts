import { covers } from '../../graft/covers.ts';
import {
  type At,
  absentItem,
  atOf,
  isAbsent,
  isDirective,
  isForce,
  isTokens,
  namePatternOf,
  whenOf,
  withoutWhen,
  withWhen,
} from '../../graft/directive.ts';
import { keyTextOf } from '../../graft/list-key.ts';
import { containsExpression } from '../../graft/resolve-expressions.ts';
import { fieldShape, type ListShape, type Shape } from '../../graft/shape.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { matchesNamePattern } from '../../kube/name-pattern.ts';
import { type Form, podSpecOf } from './form.ts';
import { Inexpressible } from './inexpressible.ts';
import { orderedPlace } from './ordered-place.ts';
import { plainValue } from './plain-value.ts';
import { CONTAINER_LISTS, unsharedContainer } from './shared-amounts.ts';
import { isTranslated } from './translated.ts';

/** A part of an overlay that one mutation can make. */
export interface Slice {
  readonly overlay: JsonObject;
  /** What is added for an item of a keyed list, with everything that the overlay's patterns would set in it. */
  readonly additions: ReadonlyMap<JsonObject, Json>;
  /** The names of earlier items with `$at: first`. */
  readonly firsts: ReadonlyMap<JsonObject, readonly string[]>;
}

/**
 * An overlay as parts that can be merged one after the other: in each, no two items of a list can be about the same item, and positions
 * do not depend on each other.
 */
export function sliceOverlay(overlay: JsonObject, form: Form): readonly Slice[] {
  const additions = new Map<JsonObject, Json>();
  const firsts = new Map<JsonObject, readonly string[]>();
  const overlays = sliceObject(overlay, form.shape, { additions, firsts, podSpec: podSpecOf(form)?.value });
  return overlays.map((each) => ({ overlay: each, additions, firsts }));
}

interface Notes {
  readonly additions: Map<JsonObject, Json>;
  readonly firsts: Map<JsonObject, readonly string[]>;
  /** A CEL expression. */
  readonly podSpec: string | undefined;
}

function sliceObject(overlay: JsonObject, shape: Shape, notes: Notes): JsonObject[] {
  const slices: Record<string, Json>[] = [];
  for (const [key, wanted] of Object.entries(overlay)) {
    for (const [index, value] of sliceValue(key, wanted, fieldShape(shape, key), notes).entries()) {
      slices[index] ??= {};
      (slices[index] as Record<string, Json>)[key] = value;
    }
  }
  return slices;
}

function sliceValue(key: string, wanted: Json, shape: Shape, notes: Notes): readonly Json[] {
  if (shape.type === 'list' && isJsonArray(wanted)) return sliceList(key, wanted, shape, notes);
  if (shape.type === 'set' && isJsonArray(wanted) && wanted.some(isAbsent)) {
    checkRemovals(key, wanted, (item, doomed) => covers(item, doomed, shape.item));
    return wanted.map((item) => [item]);
  }
  // Items that only the API server knows may be equal: the second must see the first.
  if (shape.type === 'set' && isJsonArray(wanted) && wanted.some(containsExpression)) {
    return wanted.map((item) => [item]);
  }
  const isPlain = isJsonObject(wanted) && !isForce(wanted) && !isAbsent(wanted) && !isTokens(wanted);
  if (!isPlain || isTranslated(wanted) || shape.type === 'whole') return [wanted];
  const slices = sliceObject(withoutWhen(wanted), shape, notes);
  return slices.length === 0 ? [wanted] : slices.map((slice) => withWhen(whenOf(wanted), slice));
}

function sliceList(key: string, wanted: readonly Json[], shape: ListShape, notes: Notes): readonly Json[] {
  const items = wanted.filter(isJsonObject);
  const patterns = items.filter((item) => !isAbsent(item) && namePatternOf(item) !== undefined);
  const others = items.filter((item) => !patterns.includes(item));
  checkResources(others, patterns);
  checkPlaces(others);
  checkRemovals(key, others, (item, doomed) => {
    const pattern = namePatternOf(doomed);
    return pattern === undefined
      ? keyTextOf(item, shape) === keyTextOf(doomed, shape)
      : isJsonObject(item) && matchesNamePattern(pattern, String(item.name));
  });
  const keys = others.map((item) => keyTextOf(isAbsent(item) ? absentItem(item) : item, shape));
  checkConditions(key, others, patterns, keys);
  const isOrdered =
    others.some((item) => atOf(item) !== undefined || hasDynamicKey(key, item, shape)) ||
    new Set(keys).size < keys.length;
  const groups = withPatterns(isOrdered ? others.map((item) => [item]) : [others], patterns);
  const added = plainValue(key, wanted, shape);
  const values = new Map(
    (isJsonArray(added) ? added : []).map((value) => [keyTextOf(value, shape), value] as const),
  );
  const firsts: string[] = [];
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group) => {
      const slices: Json[][] = [];
      for (const item of group) {
        const parts = isAbsent(item) ? [item] : sliceItem(item, shape, notes);
        const value = values.get(keyTextOf(item, shape));
        for (const [index, part] of parts.entries()) {
          slices[index] = [...(slices[index] ?? []), part];
          if (value !== undefined && !isAbsent(item)) {
            const isContainer = notes.podSpec !== undefined && CONTAINER_LISTS.includes(key);
            const addition = isContainer ? unsharedContainer(value, items, notes.podSpec) : value;
            notes.additions.set(part, addition);
          }
          notes.firsts.set(part, [...firsts]);
        }
        if (isFirst(atOf(item))) firsts.push(String(item[shape.keys[0]]));
      }
      return slices;
    });
}

/** Every slice has the item's keys and place. */
function sliceItem(item: JsonObject, shape: ListShape, notes: Notes): readonly JsonObject[] {
  const isKey = (key: string) => shape.keys.includes(key) || isDirective(key);
  const entries = Object.entries(item);
  const head = Object.fromEntries(entries.filter(([key]) => isKey(key))) as JsonObject;
  const rest = Object.fromEntries(entries.filter(([key]) => !isKey(key))) as JsonObject;
  const slices = shape.item.type === 'whole' ? [rest] : sliceObject(rest, shape.item, notes);
  return slices.length === 0 ? [head] : slices.map((slice) => ({ ...head, ...slice }));
}

/** After the first slice the API server sets requests to limits, which the second would take for the user's own. */
function checkResources(others: readonly JsonObject[], patterns: readonly JsonObject[]): void {
  const all = [...others, ...patterns].filter((item) => item.resources !== undefined);
  if (all.length > 1 && patterns.some((item) => item.resources !== undefined)) {
    throw new Inexpressible('"resources" of a container in several items of the overlay');
  }
}

function checkRemovals(
  key: string,
  wanted: readonly Json[],
  isDoomed: (item: Json, doomed: Json) => boolean,
): void {
  const doomed = wanted.flatMap((item) => (isAbsent(item) ? [absentItem(item)] : []));
  const isBoth = wanted.some((item) => !isAbsent(item) && doomed.some((each) => isDoomed(item, each)));
  if (isBoth) throw new Inexpressible(`items of "${key}" that it both adds and removes`);
}

function checkPlaces(items: readonly JsonObject[]): void {
  const afters = new Set<string>();
  for (const item of items) {
    const at = atOf(item);
    if (at === undefined || typeof at === 'string') continue;
    if (at.keep) throw new Inexpressible('"$at" with "keep"');
    if (!('after' in at)) continue;
    if (afters.has(at.after)) throw new Inexpressible('"$at" with the same "after" for several items');
    afters.add(at.after);
  }
}

/** Items whose keys only the API server knows may be the same: the second must see the first. */
function hasDynamicKey(list: string, item: JsonObject, { keys }: ListShape): boolean {
  const dynamic = keys.map((key) => item[key] ?? null).filter(containsExpression);
  if (!dynamic.every((key) => isTranslated(key) && key.translation.type === 'expression')) {
    throw new Inexpressible(`the key of an item of "${list}" may have no value`);
  }
  return dynamic.length > 0;
}

/** Which of several values is added depends on conditions: only the merge itself can tell. */
function checkConditions(
  key: string,
  others: readonly JsonObject[],
  patterns: readonly JsonObject[],
  keys: readonly (string | undefined)[],
): void {
  const isRepeated = (each: string | undefined) => keys.indexOf(each) !== keys.lastIndexOf(each);
  if (others.some((item, index) => isRepeated(keys[index]) && containsExpression(item))) {
    throw new Inexpressible(`several items of "${key}" have the same key and expressions`);
  }
  for (const item of others.filter((each) => !isAbsent(each) && containsExpression(each))) {
    const rival = patterns.find((pattern) => {
      const isMatch = matchesNamePattern(String(pattern.name), String(item.name));
      return isMatch && !containsExpression(pattern) && orderedPlace(item, pattern) !== undefined;
    });
    if (rival)
      throw new Inexpressible(
        `"${item.name}" and "${rival.name}" of "${key}" may set the same field, one by an expression`,
      );
  }
}

/**
 * Patterns one after the other, except for expressions: these see the item as it was before all of them. They go together if no two of them
 * can be about the same field, or if both force it, so that the last one counts.
 */
function withPatterns(
  groups: readonly (readonly JsonObject[])[],
  patterns: readonly JsonObject[],
): readonly (readonly JsonObject[])[] {
  const next = groups.map((group) => [...group]);
  for (const pattern of patterns) {
    const group = next.at(-1);
    if (group?.every((other) => areIndependent(other, pattern))) group.push(pattern);
    else next.push([pattern]);
  }
  return next;
}

function areIndependent(one: JsonObject, other: JsonObject): boolean {
  if (!containsExpression(one) && !containsExpression(other)) return false;
  return Object.keys(one).every((key) => {
    if (!(key in other) || key === 'name' || isDirective(key)) return true;
    return isForce(one[key] as Json) && isForce(other[key] as Json);
  });
}

function isFirst(at: At | undefined): boolean {
  return at === 'first' || (typeof at === 'object' && 'first' in at);
}
