import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, withMember, withoutMember } from '../json/member.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import { isLess } from '../kube/quantity.ts';
import {
  type AbsentItem,
  absent,
  force,
  isAbsent,
  isAtLeast,
  isDirective,
  isForce,
  isTokens,
  namePatternOf,
} from './directive.ts';
import { fitResources } from './fit-resources.ts';

/**
 * Resolves the parts of an overlay that depend on the object: a name pattern becomes one item for every match, among the
 * object's items and those that the overlay adds; `$atLeast` becomes an amount to set, or nothing; default requests are
 * fitted to limits. Returns the overlay itself if it has no such parts.
 */
export function expandOverlay(overlay: JsonObject, object: JsonObject): JsonObject {
  return expandMembers(overlay, object);
}

function expandMembers(overlay: JsonObject, found: Json | undefined): JsonObject {
  let next = overlay;
  for (const key in overlay) {
    const value = overlay[key] as Json;
    if (typeof value !== 'object' || isDirective(key)) continue;
    const current = isJsonObject(found) ? member(found, key) : undefined;
    const expanded = expandValue(fitted(key, value, current), current);
    if (expanded === value) continue;
    next = expanded === undefined ? withoutMember(next, key) : withMember(next, key, expanded);
  }
  return next;
}

/** Without parts that would make the object invalid, given what it has and lacks. */
function fitted(key: string, value: Json, found: Json | undefined): Json | undefined {
  if (!isJsonObject(value) || isForce(value)) return value;
  if (key === 'resources') return fitResources(value, found);
  const isProbe = key === 'livenessProbe' || key === 'readinessProbe' || key === 'startupProbe';
  // Settings of a probe are not a probe without a handler.
  if (isProbe && (found ?? null) === null && !HANDLERS.some((handler) => handler in value)) return undefined;
  return value;
}

const HANDLERS = ['exec', 'grpc', 'httpGet', 'tcpSocket'];

function expandValue(overlay: Json | undefined, found: Json | undefined): Json | undefined {
  if (overlay === undefined) return undefined;
  if (isJsonArray(overlay)) return expandList(overlay, isJsonArray(found) ? found : []);
  if (!isJsonObject(overlay) || isForce(overlay) || isAbsent(overlay) || isTokens(overlay)) return overlay;
  return isAtLeast(overlay) ? raised(overlay.$atLeast, found) : expandMembers(overlay, found);
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

function expandList(overlay: readonly Json[], found: readonly Json[]): readonly Json[] {
  const foundByName = new Map<string, Json>();
  for (const item of found) {
    const name = nameOf(item);
    if (name !== undefined) foundByName.set(name, item);
  }
  const items: Json[] = [];
  const patterns: JsonObject[] = [];
  for (const item of overlay) {
    if (!isJsonObject(item)) items.push(item);
    else if (isAbsent(item)) items.push(...removals(item, foundByName));
    else if (namePatternOf(item) !== undefined) patterns.push(item);
    else items.push(expandMembers(item, foundByName.get(nameOf(item) ?? '')));
  }
  if (patterns.length > 0) {
    const removed = new Set(items.flatMap((item) => (isAbsent(item) ? [nameOf(item.$absent)] : [])));
    const added = items.filter((item) => !isAbsent(item)).map(nameOf);
    const names = new Set([...foundByName.keys(), ...added.filter((name) => name !== undefined)]);
    for (const name of removed) names.delete(name ?? '');
    for (const pattern of patterns) items.push(...matches(pattern, names, foundByName));
  }
  const isSame = items.length === overlay.length && items.every((item, index) => item === overlay[index]);
  return isSame ? overlay : items;
}

type ItemsByName = ReadonlyMap<string, Json>;

function matches(item: JsonObject, names: Iterable<string>, found: ItemsByName): Json[] {
  const pattern = namePatternOf(item) ?? '';
  return [...names]
    .filter((name) => matchesNamePattern(pattern, name))
    .map((name) => ({ ...expandMembers(item, found.get(name)), name }));
}

function removals(item: AbsentItem, found: ItemsByName): Json[] {
  const pattern = namePatternOf(item.$absent);
  if (pattern === undefined) return [item];
  return [...found.keys()]
    .filter((name) => matchesNamePattern(pattern, name))
    .map((name) => absent({ ...(item.$absent as JsonObject), name }));
}

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}
