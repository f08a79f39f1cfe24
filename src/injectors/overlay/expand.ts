import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, withMember, withoutMember } from '../../json/member.ts';
import { matchesNamePattern } from '../../kube/name-pattern.ts';

/**
 * Resolves what a hand-written overlay says about an object it has not seen: `name: "*"` stands for every item of that
 * list, also for those that the overlay itself adds, and `{$atLeast: n}` raises a number. Returns the overlay itself where it
 * says nothing of the kind.
 */
export function expand(overlay: Json, object: Json | undefined): Json | undefined {
  if (isJsonArray(overlay)) return expandList(overlay, isJsonArray(object) ? object : []);
  if (!isJsonObject(overlay)) return overlay;
  if ('$atLeast' in overlay) return raise(overlay.$atLeast as number, object);
  let next = overlay;
  for (const key of Object.keys(overlay)) {
    // What is forced stands as it is written.
    if (key.startsWith('$')) continue;
    const value = overlay[key] as Json;
    const expanded = expand(value, isJsonObject(object) ? member(object, key) : undefined);
    if (expanded === value) continue;
    next = expanded === undefined ? withoutMember(next, key) : withMember(next, key, expanded);
  }
  return next;
}

function raise(minimum: number, found: Json | undefined): Json | undefined {
  if (found === undefined || found === null) return minimum;
  return typeof found === 'number' && found < minimum ? { $force: minimum } : undefined;
}

function expandList(overlay: readonly Json[], found: readonly Json[]): readonly Json[] {
  const named = overlay.filter((item) => patternOf(item) === undefined);
  const items = named.map((item) => expand(item, itemCalled(nameOf(item), found)) ?? item);
  if (named.length === overlay.length)
    return items.every((item, index) => item === overlay[index]) ? overlay : items;
  const removed = new Set(overlay.map(removedName));
  const names = new Set(
    [...found, ...named].map(nameOf).filter((name) => name !== undefined && !removed.has(name)),
  );
  for (const item of overlay) {
    const pattern = patternOf(item);
    if (pattern === undefined) continue;
    for (const name of names) {
      if (name === undefined || !matchesNamePattern(pattern, name)) continue;
      items.push(expand(withMember(item as JsonObject, 'name', name), itemCalled(name, found)) as Json);
    }
  }
  return items;
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

/** No name in Kubernetes holds a `*`, so that it cannot be meant literally. */
function patternOf(item: Json): string | undefined {
  const name = nameOf(item);
  return name?.includes('*') ? name : undefined;
}
