import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { type Pointer, pointer } from '../json/pointer.ts';
import { sameJson } from '../json/same-json.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import {
  absentItem,
  forcedValue,
  isAbsent,
  isDirective,
  isForce,
  isTokens,
  namePatternOf,
} from './directive.ts';

/**
 * A place on which two overlays can never agree: both force it to different values, or one removes what the other sets.
 * Undefined if there is none. Conflicts that depend on the object are not found. List items appear by name in the path.
 */
export function overlayConflict(one: JsonObject, other: JsonObject): Pointer | undefined {
  const path = inObjects(one, other, []);
  return path && pointer(path);
}

type Path = readonly string[];

function inObjects(one: JsonObject, other: JsonObject, path: Path): Path | undefined {
  for (const key in one) {
    const rival = member(other, key) ?? null;
    if (rival === null || isDirective(key)) continue;
    const conflict = inValues(one[key] as Json, rival, [...path, key]);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

function inValues(one: Json, other: Json, path: Path): Path | undefined {
  if (one === null) return undefined;
  if (isAbsent(one) || isAbsent(other)) return isAbsent(one) && isAbsent(other) ? undefined : path;
  if (isForce(one) && isForce(other)) {
    return sameJson(forcedValue(one), forcedValue(other)) ? undefined : path;
  }
  if (isForce(one) || isForce(other) || isTokens(one) || isTokens(other)) return undefined;
  if (isJsonArray(one) && isJsonArray(other)) return inLists(one, other, path);
  return isJsonObject(one) && isJsonObject(other) ? inObjects(one, other, path) : undefined;
}

function inLists(one: readonly Json[], other: readonly Json[], path: Path): Path | undefined {
  for (const item of one) {
    for (const rival of other) {
      const conflict = inItems(item, rival, path) ?? inItems(rival, item, path);
      if (conflict !== undefined) return conflict;
    }
  }
  return undefined;
}

function inItems(item: Json, rival: Json, path: Path): Path | undefined {
  if (!isJsonObject(item) || !isJsonObject(rival) || isAbsent(rival)) return undefined;
  const name = namedBy(rival);
  if (name === undefined) return undefined;
  // A pattern adds no item, so removing its matches contradicts nothing.
  if (isAbsent(item)) {
    const removes = namePatternOf(rival) === undefined && isFor(absentItem(item), name);
    return removes ? [...path, name] : undefined;
  }
  return isFor(item, name) ? inObjects(item, rival, [...path, name]) : undefined;
}

function isFor(item: Json, name: string): boolean {
  const pattern = namePatternOf(item);
  return namedBy(item) === name || (pattern !== undefined && matchesNamePattern(pattern, name));
}

function namedBy(item: Json): string | undefined {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : undefined;
}
