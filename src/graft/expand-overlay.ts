import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, withMember, withoutMember } from '../json/member.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import { isLess } from '../kube/quantity.ts';
import {
  type AbsentItem,
  absent,
  absentItem,
  force,
  isAbsent,
  isAtLeast,
  isDirective,
  isForce,
  isTokens,
  minimumOf,
  namePatternOf,
} from './directive.ts';
import { fitResources } from './fit-resources.ts';
import { containsExpression } from './resolve-expressions.ts';
import { withoutSharedAmounts } from './without-shared-amounts.ts';

/**
 * Resolves the parts of an overlay that depend on the object: a name pattern becomes one item for every match, among the
 * object's items and those that the overlay adds; `$atLeast` becomes an amount to set, or nothing; default requests and limits
 * are fitted to those of the container and of the whole Pod. Returns the overlay itself if it has no such parts. `constant` are
 * parts without any of these.
 */
export function expandOverlay(overlay: JsonObject, object: JsonObject, constant = NO_PARTS): JsonObject {
  return expandMembers(withoutSharedAmounts(overlay, object), object, constant);
}

/** Maps and lists of an overlay. */
type Parts = ReadonlySet<Json | undefined>;

const NO_PARTS: Parts = new Set();

/**
 * Whether `expressionResolver` leaves anything to expand, other than in values of expressions. It resolves all patterns of a
 * list if one of them has an expression.
 */
export function needsExpansion(overlay: Json): boolean {
  if (isJsonArray(overlay)) {
    const patterns = overlay.filter((item) => namePatternOf(item) !== undefined);
    const isResolved = patterns.some(containsExpression);
    return (patterns.length > 0 && !isResolved) || overlay.some(needsExpansion);
  }
  if (!isJsonObject(overlay)) return false;
  if (isAtLeast(overlay) || isRemovalOfPattern(overlay)) return true;
  return Object.keys(overlay).some((key) => isFitted(key) || needsExpansion(overlay[key] as Json));
}

/** The parts of an overlay that are the same for every object: in most overlays, nearly all of them. */
export function constantParts(overlay: JsonObject): Parts {
  const parts = new Set<Json>();
  collectConstant(overlay, parts);
  return parts;
}

/** Whether a value is constant. Collects those below that are. */
function collectConstant(value: Json, parts: Set<Json>): boolean {
  if (typeof value !== 'object' || value === null) return true;
  let isConstant = true;
  if (isJsonArray(value)) {
    for (const item of value) if (!collectConstant(item, parts)) isConstant = false;
  } else {
    isConstant = !isAtLeast(value) && !isRemovalOfPattern(value) && namePatternOf(value) === undefined;
    for (const key in value) {
      if (!collectConstant(value[key] as Json, parts) || isFitted(key)) isConstant = false;
    }
  }
  if (isConstant) parts.add(value);
  return isConstant;
}

function isRemovalOfPattern(value: JsonObject): boolean {
  return isAbsent(value) && namePatternOf(absentItem(value)) !== undefined;
}

function expandMembers(overlay: JsonObject, found: Json | undefined, constant: Parts): JsonObject {
  let next = overlay;
  for (const key in overlay) {
    const value = overlay[key] as Json;
    if (typeof value !== 'object' || isDirective(key)) continue;
    // What is fitted depends on its key.
    if (constant.has(value) && !isFitted(key)) continue;
    const current = isJsonObject(found) ? member(found, key) : undefined;
    // Added by an earlier round.
    if (current === value) continue;
    const expanded = expandValue(fitted(key, value, current), current, constant);
    if (expanded === value) continue;
    next = expanded === undefined ? withoutMember(next, key) : withMember(next, key, expanded);
  }
  return next;
}

/** Without parts that would make the object invalid, given what it has and lacks. */
function fitted(key: string, value: Json, found: Json | undefined): Json | undefined {
  if (!isJsonObject(value) || isForce(value)) return value;
  if (key === 'resources') return fitResources(value, found);
  // Settings of a probe are not a probe without a handler.
  const isFilled = PROBES.has(key) && (found ?? null) === null;
  return isFilled && !HANDLERS.some((handler) => handler in value) ? undefined : value;
}

function isFitted(key: string): boolean {
  return key === 'resources' || PROBES.has(key);
}

const PROBES: ReadonlySet<string> = new Set(['livenessProbe', 'readinessProbe', 'startupProbe']);
const HANDLERS = ['exec', 'grpc', 'httpGet', 'tcpSocket'];

function expandValue(overlay: Json | undefined, found: Json | undefined, constant: Parts): Json | undefined {
  if (overlay === undefined || constant.has(overlay)) return overlay;
  if (isJsonArray(overlay)) return expandList(overlay, isJsonArray(found) ? found : [], constant);
  if (!isJsonObject(overlay) || isForce(overlay) || isAbsent(overlay) || isTokens(overlay)) return overlay;
  return isAtLeast(overlay) ? raised(minimumOf(overlay), found) : expandMembers(overlay, found, constant);
}

/** Numbers and quantities are compared by amount: `1` is more than `500m`. */
function raised(minimum: number | string, found: Json | undefined): Json | undefined {
  if (found === undefined || found === null) return minimum;
  if (typeof found === 'number' && typeof minimum === 'number') {
    return found < minimum ? force(minimum) : undefined;
  }
  const isAmount = typeof found === 'string' || typeof found === 'number';
  return isAmount && isLess(found, minimum) ? force(minimum) : undefined;
}

function expandList(overlay: readonly Json[], found: readonly Json[], constant: Parts): readonly Json[] {
  const foundByName = itemsByName(found);
  const items: Json[] = [];
  const patterns: JsonObject[] = [];
  for (const item of overlay) {
    if (!isJsonObject(item) || constant.has(item)) items.push(item);
    else if (isAbsent(item)) for (const removal of removals(item, foundByName)) items.push(removal);
    else if (namePatternOf(item) !== undefined) patterns.push(item);
    else items.push(expandMembers(item, foundByName.get(nameOf(item) ?? ''), constant));
  }
  if (patterns.length === 0) {
    const isSame = items.length === overlay.length && items.every((item, index) => item === overlay[index]);
    return isSame ? overlay : items;
  }
  const names = namesAfter(items, foundByName);
  for (const pattern of patterns) addMatches(items, pattern, names, foundByName, constant);
  return items;
}

/** The names in a list once the overlay's other items are merged into it. */
function namesAfter(items: readonly Json[], found: ItemsByName): readonly string[] {
  if (items.length === 0) return [...found.keys()];
  const names = new Set(found.keys());
  for (const item of items) if (!isAbsent(item)) addName(names, item);
  for (const item of items) if (isAbsent(item)) names.delete(nameOf(absentItem(item)) ?? '');
  return [...names];
}

type ItemsByName = ReadonlyMap<string, Json>;

function itemsByName(list: readonly Json[]): ItemsByName {
  const items = new Map<string, Json>();
  for (const item of list) {
    const name = nameOf(item);
    if (name !== undefined) items.set(name, item);
  }
  return items;
}

function addName(names: Set<string>, item: Json): void {
  const name = nameOf(item);
  if (name !== undefined) names.add(name);
}

function addMatches(
  items: Json[],
  item: JsonObject,
  names: readonly string[],
  found: ItemsByName,
  constant: Parts,
): void {
  const pattern = namePatternOf(item) ?? '';
  for (const name of names) {
    if (matchesNamePattern(pattern, name))
      items.push(withMember(expandMembers(item, found.get(name), constant), 'name', name));
  }
}

function removals(item: AbsentItem, found: ItemsByName): Json[] {
  const removed = absentItem(item);
  const pattern = namePatternOf(removed);
  if (pattern === undefined) return [item];
  return [...found.keys()]
    .filter((name) => matchesNamePattern(pattern, name))
    .map((name) => absent({ ...(removed as JsonObject), name }));
}

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}
