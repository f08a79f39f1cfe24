import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member } from '../json/member.ts';
import type { ResolvedMatch } from './resolve-match.ts';

/** What is known of a stage before any object is: all it can wish for, and what of an object it is chosen by. */
export interface Outline {
  /** Undefined where it depends on the object. */
  readonly wishes: JsonObject | undefined;
  readonly match: ResolvedMatch;
}

/**
 * Whether a change that one stage made may give another one something to do again. Where both always wish for the same,
 * they have nothing to say to each other unless they speak of the same place; in doubt they do.
 */
export function mayDisturb(writer: Outline, reader: Outline): boolean {
  if (writer.wishes === undefined || reader.wishes === undefined) return true;
  // One that only adds can be told by its places; a removal or a replacement may free another's.
  if (replaces(writer.wishes)) return true;
  return meet(writer.wishes, reader.wishes) || meet(writer.wishes, chosenBy(reader.match));
}

function chosenBy({ objectSelector, annotations }: ResolvedMatch): JsonObject {
  return { metadata: { ...(objectSelector && { labels: '*' }), ...(annotations && { annotations }) } };
}

function replaces(wish: Json): boolean {
  if (isJsonArray(wish)) return wish.some(replaces);
  if (!isJsonObject(wish)) return false;
  return Object.keys(wish).some(
    (key) => key === '$force' || key === '$absent' || replaces(wish[key] as Json),
  );
}

function meet(writes: Json, reads: Json): boolean {
  if (isJsonArray(writes) && isJsonArray(reads)) {
    return writes.some((item) => !isPattern(item) || reads.some((read) => meetInItem(item, read)));
  }
  if (!isMap(writes) || !isMap(reads)) return true;
  return Object.keys(writes).some((key) => {
    const read = member(reads, key);
    return read !== undefined && meet(writes[key] as Json, read);
  });
}

/** An item that stands for those that are there adds none, and its name is no wish. */
function meetInItem(item: JsonObject, read: Json): boolean {
  if (!isMap(read)) return true;
  const { name: _, ...wishes } = item;
  return meet(wishes, read);
}

function isPattern(item: Json): item is JsonObject {
  return isMap(item) && typeof item.name === 'string' && item.name.includes('*');
}

/** A directive is about the whole of its place. */
function isMap(value: Json): value is JsonObject {
  return isJsonObject(value) && !Object.keys(value).some((key) => key.startsWith('$') && key !== '$at');
}
