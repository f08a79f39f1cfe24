import { isJsonArray, type Json, type JsonObject } from '../json/json.ts';

/**
 * Maps, lists, texts, numbers and so on: twice as many as a custom resource of 1.5 MiB usually has, which is the largest that
 * can be stored. Those of a Pod are a thousandth of it.
 */
const MOST_VALUES = 100_000;
/** Custom resource definitions, the deepest objects of all, have about 60. */
const MOST_NESTED = 1000;

/** Why an object of any kind is too large for injectors, or nested too deeply; undefined if it is not. */
export function sizeDefect(object: JsonObject, mostNested = MOST_NESTED): string | undefined {
  const left = spend(object, MOST_VALUES, mostNested);
  if (left === TOO_DEEP) return `it is nested more than ${mostNested} levels deep`;
  return left < 0 ? `it has more than ${MOST_VALUES} values` : undefined;
}

const TOO_DEEP = Number.NEGATIVE_INFINITY;

/** What is left of a budget of values, negative if it does not suffice: then the rest is not looked at. */
function spend(value: JsonObject | readonly Json[], budget: number, levels: number): number {
  if (levels === 0) return TOO_DEEP;
  let left = budget;
  if (isJsonArray(value)) {
    left -= value.length;
    if (left < 0) return left;
    for (const child of value) {
      if (typeof child !== 'object' || child === null) continue;
      left = spend(child, left, levels - 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const key in value) {
    left--;
    const child = value[key];
    if (typeof child === 'object' && child !== null) left = spend(child, left, levels - 1);
    if (left < 0) return left;
  }
  return left;
}
