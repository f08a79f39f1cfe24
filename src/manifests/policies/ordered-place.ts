import { isDirective, isForce, isNamePattern } from '../../graft/directive.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { member } from '../../json/member.ts';
import { type Pointer, pointer } from '../../json/pointer.ts';
import { sameJson } from '../../json/same-json.ts';
import { matchesNamePattern } from '../../kube/name-pattern.ts';

/** A place that two overlays fill with different values, so that the first to run decides; undefined if there is none. */
export function orderedPlace(one: JsonObject, other: JsonObject): Pointer | undefined {
  const path = inObjects(one, other, []);
  return path && pointer(path);
}

type Path = readonly string[];

function inObjects(one: JsonObject, other: JsonObject, path: Path): Path | undefined {
  for (const key of Object.keys(one)) {
    const rival = member(other, key);
    if (rival === undefined || isDirective(key)) continue;
    const found = inValues(one[key] as Json, rival, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inValues(one: Json, other: Json, path: Path): Path | undefined {
  // What is forced holds in any order.
  if (isForce(one) !== isForce(other) || sameJson(one, other)) return undefined;
  if (isJsonArray(one) && isJsonArray(other)) return inLists(one, other, path);
  if (isJsonObject(one) && isJsonObject(other)) {
    const isPlain = ![...Object.keys(one), ...Object.keys(other)].some(isDirective);
    return isPlain ? inObjects(one, other, path) : path;
  }
  return path;
}

function inLists(one: readonly Json[], other: readonly Json[], path: Path): Path | undefined {
  const named = (items: readonly Json[]) =>
    items.filter((item): item is JsonObject => isJsonObject(item) && typeof item.name === 'string');
  for (const item of named(one)) {
    for (const rival of named(other)) {
      if (!meet(String(item.name), String(rival.name))) continue;
      const { name: _, ...fields } = item;
      const found = inObjects(fields, rival, [...path, String(item.name)]);
      if (found !== undefined) return found;
    }
  }
  // Lists that are set as a whole.
  return named(one).length === 0 && one.every((item) => typeof item !== 'object') ? path : undefined;
}

function meet(one: string, other: string): boolean {
  if (isNamePattern(one) && isNamePattern(other)) return true;
  return matchesNamePattern(one, other) || matchesNamePattern(other, one);
}
