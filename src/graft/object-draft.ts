import type { Json, JsonObject } from '../json/json.ts';
import { copyOf, setMember } from '../json/member.ts';

/** An object under change: copied at the first change. The original is never written to. */
export interface ObjectDraft {
  readonly object: JsonObject;
  copy: Record<string, Json> | undefined;
}

/** The object as it is now: the original itself if nothing has changed. */
export function currentOf(draft: ObjectDraft): JsonObject {
  return draft.copy ?? draft.object;
}

/** Undefined removes the field. */
export function setField(draft: ObjectDraft, key: string, value: Json | undefined): void {
  draft.copy ??= copyOf(draft.object);
  if (value === undefined) delete draft.copy[key];
  else setMember(draft.copy, key, value);
}
