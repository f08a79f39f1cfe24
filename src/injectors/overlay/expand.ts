import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, withMember, withoutMember } from '../../json/member.ts';
import { matchesNamePattern } from '../../kube/name-pattern.ts';

/**
 * Resolves what a hand-written overlay says about an object it has not seen: `name: "*"` stands for every item of that
 * list, also for those that the overlay itself adds; `$absent: {name: "*"}` for those that are there; and `{$atLeast: n}` raises a
 * number. `open` holds those parts of the overlay that say such a thing; all others are returned as they are.
 */
export function expand(overlay: Json, object: Json | undefined, open: OpenParts): Json | undefined {
  if (!open.has(overlay)) return overlay;
  if (isJsonArray(overlay)) return expandList(overlay, isJsonArray(object) ? object : [], open);
  if (!isJsonObject(overlay)) return overlay;
  if ('$atLeast' in overlay) return raise(overlay.$atLeast as number, object);
  return expandMembers(overlay, object, open);
}

function expandMembers(overlay: JsonObject, object: Json | undefined, open: OpenParts): JsonObject {
  let next = overlay;
  for (const key of Object.keys(overlay)) {
    const value = overlay[key] as Json;
    const expanded = expand(value, isJsonObject(object) ? member(object, key) : undefined, open);
    if (expanded === value) continue;
    next = expanded === undefined ? withoutMember(next, key) : withMember(next, key, expanded);
  }
  return next;
}

/** All of the object on which `expand` depends, as texts: what is equal in them expands to the same. */
export function causesOf(overlay: Json, object: Json | undefined, open: OpenParts): (string | undefined)[] {
  const causes: (string | undefined)[] = [];
  collect(overlay, object);
  return causes;

  function collect(part: Json, found: Json | undefined): void {
    if (!open.has(part)) return;
    if (isJsonArray(part)) return collectList(part, isJsonArray(found) ? found : []);
    if (!isJsonObject(part)) return;
    if ('$atLeast' in part) causes.push(JSON.stringify(found));
    else collectMembers(part, found);
  }

  function collectMembers(part: JsonObject, found: Json | undefined): void {
    for (const key in part) {
      const value = part[key] as Json;
      if (open.has(value)) collect(value, isJsonObject(found) ? member(found, key) : undefined);
    }
  }

  function collectList(items: readonly Json[], found: readonly Json[]): void {
    causes.push(String(found.length));
    for (const item of found) causes.push(nameOf(item));
    for (const item of items) {
      if (!isJsonObject(item) || !open.has(item)) continue;
      const pattern = patternOf(item);
      if (pattern === undefined) collectMembers(item, itemCalled(nameOf(item), found));
      else for (const each of found) collectMembers(item, each);
    }
  }
}

export type OpenParts = ReadonlySet<Json>;

/** Found once, when the configuration is read. */
export function openParts(overlay: Json, found = new Set<Json>()): Set<Json> {
  const before = found.size;
  if (isJsonArray(overlay)) {
    for (const item of overlay) openParts(item, found);
  } else if (isJsonObject(overlay)) {
    // What is forced or removed stands as it is written.
    for (const key of Object.keys(overlay)) if (!key.startsWith('$')) openParts(overlay[key] as Json, found);
  }
  const own =
    isJsonObject(overlay) &&
    ('$atLeast' in overlay || patternOf(overlay) !== undefined || removesByPattern(overlay));
  if (own || found.size > before) found.add(overlay);
  return found;
}

function raise(minimum: number, found: Json | undefined): Json | undefined {
  if (found === undefined || found === null) return minimum;
  return typeof found === 'number' && found < minimum ? { $force: minimum } : undefined;
}

function expandList(overlay: readonly Json[], found: readonly Json[], open: OpenParts): readonly Json[] {
  const items: Json[] = [];
  for (const item of overlay) {
    if (removesByPattern(item)) items.push(...removals(item, found));
    else if (patternOf(item) === undefined)
      items.push(expand(item, itemCalled(nameOf(item), found), open) ?? item);
  }
  const names = namesToMatch(overlay, found);
  for (const item of overlay) {
    const pattern = patternOf(item);
    if (pattern === undefined) continue;
    for (const name of names) {
      if (pattern !== '*' && !matchesNamePattern(pattern, name)) continue;
      const expanded = expandMembers(item as JsonObject, itemCalled(name, found), open);
      items.push(withMember(expanded, 'name', name));
    }
  }
  return items;
}

/** Of what is there and of what the overlay adds, without what it removes. */
function namesToMatch(overlay: readonly Json[], found: readonly Json[]): readonly string[] {
  const removed = overlay.map(removedName).filter((name) => name !== undefined);
  const names: string[] = [];
  for (const item of found) addName(item);
  for (const item of overlay) if (patternOf(item) === undefined) addName(item);
  return names;

  function addName(item: Json): void {
    const name = nameOf(item);
    if (name === undefined || names.includes(name)) return;
    if (!removed.some((pattern) => matchesNamePattern(pattern, name))) names.push(name);
  }
}

function itemCalled(name: string | undefined, list: readonly Json[]): Json | undefined {
  return name === undefined ? undefined : list.findLast((item) => nameOf(item) === name);
}

function nameOf(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}

function removedName(item: Json): string | undefined {
  return isJsonObject(item) && item.$absent !== undefined ? nameOf(item.$absent) : undefined;
}

function removesByPattern(item: Json): item is { readonly $absent: JsonObject } {
  return removedName(item)?.includes('*') === true;
}

function removals({ $absent }: { readonly $absent: JsonObject }, found: readonly Json[]): Json[] {
  const names = new Set(found.map(nameOf).filter((name) => name !== undefined));
  return [...names]
    .filter((name) => matchesNamePattern(nameOf($absent) ?? '', name))
    .map((name) => ({ $absent: withMember($absent, 'name', name) }));
}

/** No name in Kubernetes holds a `*`, so that it cannot be meant literally. */
function patternOf(item: Json): string | undefined {
  const name = nameOf(item);
  return name?.includes('*') ? name : undefined;
}
