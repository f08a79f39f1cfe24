import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member, setMember } from '../../json/member.ts';
import type { ListType, TypedValue } from '../../kube/typed/schema.ts';
import { itemKey } from './item-key.ts';

/** Merges a patch into an object as server-side apply does. Null removes a scalar, and anything that is empty. */
export function mergeTyped(object: Json | undefined, patch: Json, type: TypedValue): Json {
  if (patch === null) return isFilled(object, type) ? (object as Json) : null;
  switch (type.type) {
    case 'struct':
      if (type.atomic || !isJsonObject(patch) || !isJsonObject(object)) return patch;
      return mergeMembers(object, patch, (key) => type.fields().get(key)?.type ?? { type: 'any' });
    case 'map':
      if (type.atomic || !isJsonObject(patch) || !isJsonObject(object)) return patch;
      return mergeMembers(object, patch, () => type.values);
    case 'list':
      if (type.merge === 'atomic' || !isJsonArray(patch) || !isJsonArray(object)) return patch;
      return mergeList(object, patch, type);
    case 'any':
    case 'object':
      if (isJsonObject(patch) && isJsonObject(object))
        return mergeMembers(object, patch, () => ({ type: 'any' }));
      return patch;
    default:
      return patch;
  }
}

/** Whether a null leaves the value alone: a map, struct or keyed list with content. */
function isFilled(value: Json | undefined, type: TypedValue): boolean {
  const isAtomic = type.type === 'list' ? type.merge === 'atomic' : 'atomic' in type && type.atomic;
  return !isAtomic && typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function mergeMembers(
  object: JsonObject,
  patch: JsonObject,
  typeOf: (key: string) => TypedValue,
): JsonObject {
  const next: Record<string, Json> = { ...object };
  for (const key of Object.keys(patch)) {
    setMember(next, key, mergeTyped(member(object, key), patch[key] as Json, typeOf(key)));
  }
  return next;
}

/**
 * The order follows the patch: shared items come in its order, its new items just before the next shared one, and items that only
 * the object has keep their turn (structured-merge-diff: mergeListItems).
 */
function mergeList(object: readonly Json[], patch: readonly Json[], type: ListType): readonly Json[] {
  const left = object.map((item) => itemKey(item, type));
  const right = patch.map((item) => itemKey(item, type));
  const leftItems = indexed(object, left);
  const rightItems = indexed(patch, right);
  const shared = right.filter((key) => leftItems.has(key));
  const merged = new Set<string>();
  const out: Json[] = [];
  let nextShared = shared.shift();
  const take = (key: string) => {
    merged.add(key);
    // A key that the object has several times is replaced.
    out.push(mergeTyped(leftItems.get(key), rightItems.get(key) as Json, type.item));
  };
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const leftKey = left[l];
    const rightKey = right[r];
    if (leftKey !== undefined && rightKey !== undefined) {
      if (leftKey === rightKey) {
        take(leftKey);
        l++;
        r++;
        nextShared = shared.shift();
        continue;
      }
      if (rightItems.has(leftKey) && nextShared !== undefined && nextShared !== leftKey) {
        l++;
        continue;
      }
    }
    if (leftKey !== undefined) {
      if (!rightItems.has(leftKey)) {
        out.push(object[l] as Json);
        l++;
        continue;
      }
      if (merged.has(leftKey)) l++;
    }
    if (rightKey !== undefined) {
      take(rightKey);
      r++;
      if (nextShared === rightKey) nextShared = shared.shift();
    }
  }
  return out;
}

/** Items by key; undefined for a key that occurs twice. */
function indexed(items: readonly Json[], keys: readonly string[]): Map<string, Json | undefined> {
  const found = new Map<string, Json | undefined>();
  for (const [index, key] of keys.entries()) found.set(key, found.has(key) ? undefined : items[index]);
  return found;
}
