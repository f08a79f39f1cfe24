import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { type Pointer, pointer } from '../json/pointer.ts';
import { sameJson } from '../json/same-json.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { isAtLeast, isForce, minimumOf, namePatternOf } from './directive.ts';
import { expandOverlay } from './expand-overlay.ts';
import { graft } from './graft.ts';
import { lastWithKeys } from './list-key.ts';
import { fieldShape, type ListShape, type Shape } from './shape.ts';

/**
 * A place on which two overlays can never agree: both force it to different values, or one removes what the other sets.
 * Undefined if there is none. Conflicts that depend on the object are not found. List items appear by their key in the path.
 *
 * Both are merged in turn, as in the pipeline, into an object that has all that they name. They disagree if they still undo each
 * other's changes after the last round.
 */
export function overlayConflict(one: JsonObject, other: JsonObject, shape: Shape): Pointer | undefined {
  try {
    let object: JsonObject = {};
    for (const overlay of [one, other]) object = graft(object, sampleOf(overlay) as JsonObject, shape).object;
    for (let round = 1; ; round++) {
      const first = merged(one, object, shape);
      const second = merged(other, first, shape);
      if (second === object) return undefined;
      if (round > LAST_ROUND) {
        const path = firstDifference(first, second, shape, []);
        // One that does not settle by itself is an error, too, but not of both.
        return first === object || path === undefined ? undefined : pointer(path);
      }
      object = second;
    }
  } catch (error) {
    // An item without its key, which an expression gives: what it conflicts with depends on the object.
    if (error instanceof PodgraftError && error.code === 'OVERLAY_INVALID') return undefined;
    throw error;
  }
}

/** Of a pipeline with two injectors. */
const LAST_ROUND = 3;

function merged(overlay: JsonObject, object: JsonObject, shape: Shape): JsonObject {
  return graft(object, expandOverlay(overlay, object), shape).object;
}

/** The overlay with an item for each of its name patterns, and an amount for each `$atLeast`. */
function sampleOf(value: Json): Json {
  if (isJsonArray(value)) return value.map(sampleOf);
  if (!isJsonObject(value) || isForce(value)) return value;
  if (isAtLeast(value)) return minimumOf(value);
  const entries = Object.entries(value).map(([key, child]) => [key, sampleOf(child)]);
  const name = namePatternOf(value)?.replaceAll('*', 'x');
  return Object.fromEntries(name === undefined ? entries : [...entries, ['name', name]]);
}

type Path = readonly string[];

/** The first place at which two values differ. */
function firstDifference(one: Json, other: Json, shape: Shape, path: Path): Path | undefined {
  if (sameJson(one, other)) return undefined;
  if (isJsonObject(one) && isJsonObject(other)) {
    const keys = Object.keys({ ...one, ...other });
    const parts = keys.map(
      (key): Part => [key, member(one, key), member(other, key), fieldShape(shape, key)],
    );
    return inParts(parts, path);
  }
  if (!isJsonArray(one) || !isJsonArray(other) || shape.type !== 'list') return path;
  const parts = [...one, ...other].filter(isJsonObject).map((item): Part => {
    const label = String(item[shape.keys[0]]);
    return [label, itemLike(item, one, shape), itemLike(item, other, shape), shape.item];
  });
  // The same items in another order.
  return inParts(parts, path) ?? path;
}

/** A part of two values: its key, what each of them has there, and its shape. */
type Part = readonly [key: string, one: Json | undefined, other: Json | undefined, shape: Shape];

function inParts(parts: readonly Part[], path: Path): Path | undefined {
  for (const [key, one, other, shape] of parts) {
    const below = [...path, key];
    const found = firstDifference(one ?? null, other ?? null, shape, below);
    if (found !== undefined) return found;
  }
  return undefined;
}

function itemLike(item: JsonObject, items: readonly Json[], shape: ListShape): Json | undefined {
  return items[lastWithKeys(items, item, shape)];
}
