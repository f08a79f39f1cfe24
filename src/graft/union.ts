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
  if (found === wanted) return true;
  const owner = rival ?? shape.unionDefault?.field ?? key;
  if (owner === key) writer.keep(found, wanted);
  else writer.keepRival(owner, found, key, wanted);
  return true;
}

/** The field that an object has in place of one that cannot be added to it: a probe with `exec` gets no `httpGet`. */
export function alternativeTo(key: string, object: JsonObject): string | undefined {
  const fields = ALTERNATIVES.find((each) => each.includes(key)) ?? [];
  return fields.find((name) => name !== key && (member(object, name) ?? null) !== null);
}

/** Fields of which a value that is set as a whole has one: handlers, and sources of variables. */
const ALTERNATIVES = [
  ['exec', 'grpc', 'httpGet', 'sleep', 'tcpSocket'],
  ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'],
];

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
