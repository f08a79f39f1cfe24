import { isJsonArray, type Json, type JsonObject } from '../json/json.ts';

/**
 * Maps, lists, texts, numbers and so on: twice as many as a custom resource of 1.5 MiB usually has, which is the largest that
 * can be stored. Those of a Pod are a thousandth of it.
 */
const MOST_VALUES = 100_000;
/** Injectors and expressions call functions for each level. Several times as many overflow the stack. */
const MOST_NESTED = 1000;

/**
 * Why an object is too large for injectors, or nested too deeply; undefined if neither. The API server drops what a Pod has outside
 * of its type, so that only its spec has a limit. Elsewhere in a Pod, deep nesting does no harm, and what it contains is not counted.
 */
export function sizeDefect(object: JsonObject, mostNestedPodSpec?: number): string | undefined {
  let left = MOST_VALUES;
  for (const key in object) {
    left--;
    const child = object[key];
    if (typeof child !== 'object' || child === null) continue;
    const isLimited = mostNestedPodSpec === undefined || key === 'spec';
    const levels = isLimited ? (mostNestedPodSpec ?? MOST_NESTED) : MOST_NESTED;
    const rest = spend(child, left, levels);
    if (rest !== TOO_DEEP) left = rest;
    else if (isLimited) return `${key.slice(0, 100)} is nested more than ${levels} levels deep`;
    if (left < 0) return `it has more than ${MOST_VALUES} values`;
  }
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
