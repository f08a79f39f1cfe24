import type { Json } from '../../json/json.ts';
import { itemsOf } from '../../kube/json-parts.ts';

/** A string; `otherwise` if the value is not one. */
export function textOf(value: Json | undefined, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

/** The strings of a list. */
export function stringsOf(value: Json | undefined): string[] {
  return itemsOf(value).filter((item) => typeof item === 'string');
}

/** `a, b and 3 more`. */
export function shortList(items: readonly string[], shown = 4): string {
  const unique = [...new Set(items)];
  const more = unique.length - shown;
  if (more > 1) return `${unique.slice(0, shown).join(', ')} and ${more} more`;
  return unique.join(', ');
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
