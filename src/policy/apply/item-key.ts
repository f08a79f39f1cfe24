import type { ListType, StructType } from '../../kube/typed/schema.ts';
import { isPatchObject, type PatchValue } from './patch-value.ts';

/** What identifies an item of a list that merges by keys or is a set. A key that is absent takes the schema's default. */
export function itemKey(item: PatchValue, list: ListType): string {
  if (list.merge === 'set') return `v:${JSON.stringify(item)}`;
  if (!isPatchObject(item)) return 'k:';
  const fields = list.item.type === 'struct' ? (list.item as StructType).fields() : undefined;
  const parts = list.keys.flatMap((key) => {
    const value = item[key] ?? fields?.get(key)?.fallback;
    return value === undefined ? [] : [`${key}=${JSON.stringify(value)}`];
  });
  return `k:${parts.join(',')}`;
}

/** `[name="x"]`, or `[="x"]` in a set, as errors print an item. */
export function itemPath(item: PatchValue, list: ListType, index: number): string {
  if (list.merge === 'atomic') return `[${index}]`;
  return `[${list.merge === 'set' ? '=' : ''}${itemKey(item, list).slice(2)}]`;
}
