import type { Json, JsonObject } from './json.ts';

/** Reads own members only: `constructor` and `__proto__` are ordinary keys. */
export function member(object: JsonObject, key: string): Json | undefined {
  // One lookup instead of two. Objects inherit only functions, which JSON does not have, and `__proto__`.
  if (key === '__proto__') return Object.hasOwn(object, key) ? object[key] : undefined;
  const value = object[key];
  return typeof value === 'function' ? undefined : value;
}

/** A shallow copy with one member set. */
export function withMember(object: JsonObject, key: string, value: Json): JsonObject {
  const next = copyOf(object);
  setMember(next, key, value);
  return next;
}

/**
 * A shallow copy, to which members may be added. Not a spread: V8 makes a new hidden class whenever a member is added to one, so
 * that adding takes ten times as long, and so does every later access.
 */
export function copyOf(object: JsonObject): Record<string, Json> {
  return membersBefore(undefined, object);
}

/** Sets a member of a new object, to which no one else has a reference. */
export function setMember(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    // Assignment would set the prototype instead of a member.
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Without `delete`, after which V8 treats an object as a hash table. */
export function withoutMember(object: JsonObject, key: string): JsonObject {
  const next: Record<string, Json> = {};
  for (const other in object) if (other !== key) setMember(next, other, object[other] as Json);
  return next;
}

/** A copy of the members that precede one, or of all of them. */
export function membersBefore(end: string | undefined, object: JsonObject): Record<string, Json> {
  const members: Record<string, Json> = {};
  for (const key in object) {
    if (key === end) break;
    setMember(members, key, object[key] as Json);
  }
  return members;
}
