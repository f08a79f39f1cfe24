import { isJsonArray, type Json, type JsonObject } from '../json/json.ts';
import { setMember } from '../json/member.ts';
import { notesOn, stable } from '../json/stable.ts';
import { fieldShape, itemShape, type Shape } from '../kube/shape.ts';
import { covers } from './covers.ts';
import { isAbsent, isForce, isTokens } from './directive.ts';
import { keyedItem, lastIndexOf } from './list-key.ts';
import { mergeList } from './merge-list.ts';
import { mergeSet } from './merge-set.ts';
import { newSink } from './sink.ts';

/**
 * What an overlay says on its own, without directives: the value to add where nothing is. Undefined when that is
 * nothing. Returns the overlay itself where it holds no directive, so that the common case allocates nothing.
 */
export function plain(wanted: Json, shape: Shape): Json | undefined {
  if (typeof wanted !== 'object' || wanted === null) return wanted ?? undefined;
  const notes = notesOn(wanted);
  // Only we read stable values.
  if (notes?.reading?.rules === shape) return notes.reading.result as Json | undefined;
  const result = isJsonArray(wanted) ? plainArray(wanted, shape) : withoutDirectives(wanted, shape);
  if (notes !== undefined) notes.reading = { rules: shape, result: stable(result) };
  return result;
}

function withoutDirectives(wanted: JsonObject, shape: Shape): Json | undefined {
  if (isForce(wanted)) return wanted.$force;
  if (isAbsent(wanted)) return undefined;
  if (isTokens(wanted)) return wanted.$tokens.parts.join(wanted.$tokens.separator);
  return plainObject(wanted, shape);
}

function plainObject(wanted: JsonObject, shape: Shape): JsonObject | undefined {
  let next: Record<string, Json> | undefined;
  const keys = Object.keys(wanted);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const want = wanted[key] as Json;
    const value = key === '$at' ? undefined : plain(want, fieldShape(shape, key));
    if (value === want && next === undefined) continue;
    if (next === undefined) {
      next = {};
      for (const unchanged of keys.slice(0, index)) setMember(next, unchanged, wanted[unchanged] as Json);
    }
    if (value !== undefined) setMember(next, key, value);
  }
  if (next === undefined) return wanted;
  // `{labels: {a: absent()}}` wishes for nothing where there are no labels.
  return Object.keys(next).length === 0 ? undefined : next;
}

function plainArray(wanted: readonly Json[], shape: Shape): readonly Json[] | undefined {
  if (wanted.every((item, index) => standsAsItIs(item, index, wanted, shape))) return wanted;
  const merged =
    shape.type === 'list'
      ? mergeList([], wanted, shape, newSink())
      : shape.type === 'set'
        ? mergeSet([], wanted, shape.item, newSink())
        : wanted.map((item) => plain(item, itemShape(shape)) ?? null);
  return merged.length === 0 && wanted.length > 0 ? undefined : merged;
}

/** So it is with nearly every list that injectors make: each item once, without directives, nothing to merge. */
function standsAsItIs(item: Json, index: number, list: readonly Json[], shape: Shape): boolean {
  if (plain(item, itemShape(shape)) !== item) return false;
  if (shape.type === 'list') return lastIndexOf(list, keyedItem(item, shape, newSink()), shape) === index;
  return shape.type !== 'set' || !list.slice(0, index).some((earlier) => covers(earlier, item, shape.item));
}
