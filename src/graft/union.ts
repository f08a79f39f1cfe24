import type { Json, JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import { isAbsent, isForce, isTokens } from './directive.ts';
import { currentOf, type ObjectDraft, setField } from './object-draft.ts';
import type { PatchWriter } from './patch-writer.ts';
import type { StructShape } from './shape.ts';

/**
 * Whether an object keeps the member of a union that it has instead of the wanted one: only one may be set. If the overlay forces
 * the wanted one, its rivals are removed. The walk is at the wanted member.
 */
export function keepsRival(
  draft: ObjectDraft,
  key: string,
  wanted: Json,
  shape: StructShape,
  writer: PatchWriter,
): boolean {
  if (isAbsent(wanted)) return false;
  if (isForce(wanted)) {
    removeRivals(draft, key, shape, writer);
    return false;
  }
  const current = currentOf(draft);
  const rival = rivalOf(current, key, shape);
  // An env entry without `value` and `valueFrom` is set to the empty string, which the API server omits.
  const isDefault = (member(current, key) ?? null) === null && !isTokens(wanted);
  const found =
    rival !== undefined ? member(current, rival) : isDefault ? shape.unionDefault?.value : undefined;
  if (found === undefined) return false;
  if (found !== wanted) writer.keep(found, wanted);
  return true;
}

function rivalOf(object: JsonObject, key: string, shape: StructShape): string | undefined {
  for (const name in object) {
    if (name !== key && shape.union?.has(name) && (object[name] ?? null) !== null) return name;
  }
  return undefined;
}

function removeRivals(draft: ObjectDraft, key: string, shape: StructShape, writer: PatchWriter): void {
  for (;;) {
    const rival = rivalOf(currentOf(draft), key, shape);
    if (rival === undefined) return;
    writer.leave();
    writer.enter(rival);
    writer.remove();
    writer.leave();
    writer.enter(key);
    setField(draft, rival, undefined);
  }
}
