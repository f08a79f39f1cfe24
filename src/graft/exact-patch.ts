import { applyPatch } from '../json/apply-patch.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import type { Patch } from '../json/operation.ts';
import { sameJson } from '../json/same-json.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { graftTarget } from './graft.ts';
import { PatchWriter } from './patch-writer.ts';
import type { Shape } from './shape.ts';

/** A patch that turns an object into the target: the given one if it does, else one by the shape's list keys. */
export function exactPatch(object: JsonObject, target: JsonObject, likely: Patch, shape: Shape): Patch {
  const reached = tryPatch(object, likely);
  if (reached !== undefined && sameJson(reached, target)) return likely;
  const grafted = graftTarget(object, target, shape);
  // Grafting leaves values that the API server treats as equal.
  const writer = new PatchWriter();
  writeDifference(grafted.object, target, writer);
  return [...grafted.patch, ...writer.operations];
}

function tryPatch(object: JsonObject, patch: Patch): Json | undefined {
  try {
    return applyPatch(object, patch);
  } catch (error) {
    if (error instanceof PodgraftError) return undefined;
    throw error;
  }
}

function writeDifference(found: Json | undefined, target: Json, writer: PatchWriter): void {
  if (isJsonObject(found) && isJsonObject(target)) {
    for (const key of Object.keys(found)) {
      if (member(target, key) !== undefined) continue;
      writer.enter(key);
      writer.remove();
      writer.leave();
    }
    for (const key of Object.keys(target)) {
      writer.enter(key);
      writeDifference(member(found, key), target[key] as Json, writer);
      writer.leave();
    }
  } else if (isJsonArray(found) && isJsonArray(target) && found.length === target.length) {
    for (const [index, item] of target.entries()) {
      writer.enter(index);
      writeDifference(found[index], item, writer);
      writer.leave();
    }
  } else if (found === undefined || !sameJson(found, target)) {
    writer.set(found, target);
  }
}
