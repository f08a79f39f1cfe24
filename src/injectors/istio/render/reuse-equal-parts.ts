import { isJsonArray, isJsonObject, type Json, member, setMember } from '../../../sdk/index.ts';

/** The value, with the objects and lists of an earlier value wherever they are equal, up to the earlier value itself. */
export function reuseEqualParts(value: Json, earlier: Json | undefined): Json {
  if (isJsonArray(value) && isJsonArray(earlier)) {
    const items = value.map((item, index) => reuseEqualParts(item, earlier[index]));
    const isSame = items.length === earlier.length && items.every((item, index) => item === earlier[index]);
    return isSame ? earlier : items;
  }
  if (!isJsonObject(value) || !isJsonObject(earlier)) return value;
  const keys = Object.keys(value);
  const members: Record<string, Json> = {};
  for (const key of keys) setMember(members, key, reuseEqualParts(value[key] as Json, member(earlier, key)));
  // Written in the same order, too: the order of members shows in patches.
  const earlierKeys = Object.keys(earlier);
  const isSame =
    keys.length === earlierKeys.length &&
    keys.every((key, index) => key === earlierKeys[index] && members[key] === earlier[key]);
  return isSame ? earlier : members;
}
