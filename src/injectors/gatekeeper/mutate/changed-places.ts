import { isJsonArray, isJsonObject, type Json, member } from '../../../sdk/index.ts';

/** JSON Pointers of the values that differ, at most `most` of them. Shared parts are not compared. */
export function changedPlaces(
  before: Json | undefined,
  after: Json,
  most: number,
  path = '',
): readonly string[] {
  if (before === after) return [];
  if (isJsonArray(before) && isJsonArray(after) && before.length <= after.length) {
    return firstOf(after.entries(), most, ([index, item], left) =>
      changedPlaces(before[index], item, left, `${path}/${index}`),
    );
  }
  if (
    isJsonObject(before) &&
    isJsonObject(after) &&
    Object.keys(before).every((key) => Object.hasOwn(after, key))
  ) {
    return firstOf(Object.entries(after), most, ([key, value], left) =>
      changedPlaces(
        member(before, key),
        value,
        left,
        `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ),
    );
  }
  return [path];
}

function firstOf<T>(
  items: Iterable<T>,
  most: number,
  find: (item: T, left: number) => readonly string[],
): readonly string[] {
  const found: string[] = [];
  for (const item of items) {
    if (found.length >= most) break;
    found.push(...find(item, most - found.length));
  }
  return found;
}
