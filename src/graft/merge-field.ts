import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Shape } from '../kube/shape.ts';
import { covers } from './covers.ts';
import { isAbsent, isForce, isTokens, type Tokens } from './directive.ts';
import { mergeList } from './merge-list.ts';
import { mergeObject } from './merge-object.ts';
import { mergeSet } from './merge-set.ts';
import { plain } from './plain.ts';
import { emitKept, emitRemove, emitSet, type Sink } from './sink.ts';

/** The value that a field has after the merge; undefined when it is not there. `sink.path` is the field. */
export function mergeField(
  found: Json | undefined,
  wanted: Json,
  shape: Shape,
  sink: Sink,
): Json | undefined {
  if (typeof wanted === 'object') {
    if (isForce(wanted)) return forced(found, wanted.$force, shape, sink);
    if (isAbsent(wanted)) return removed(found, sink);
    if (isTokens(wanted)) return extended(found, wanted, sink);
  }
  if (saysNothing(found, shape)) return filled(found, wanted, shape, sink);
  if (isJsonObject(found) && isJsonObject(wanted) && shape.type !== 'whole') {
    return mergeObject(found, wanted, shape, sink);
  }
  if (isJsonArray(found) && isJsonArray(wanted)) {
    if (shape.type === 'list') return mergeList(found, wanted, shape, sink);
    if (shape.type === 'set') return mergeSet(found, wanted, shape.item, sink);
  }
  if (!covers(found, wanted, shape)) emitKept(sink, found, wanted);
  return found;
}

/** In a file `hostNetwork: false` may be written out; on its way through the API server it goes missing. */
function saysNothing(found: Json | undefined, shape: Shape): found is undefined | null | '' | false {
  return found === undefined || found === null || (shape.type === 'omitted' && found === shape.zero);
}

function forced(found: Json | undefined, value: Json, shape: Shape, sink: Sink): Json | undefined {
  if (found === undefined && absenceSays(value, shape)) return found;
  if (found !== undefined && found !== null && covers(found, value, shape)) return found;
  emitSet(sink, found, value);
  return value;
}

function removed(found: Json | undefined, sink: Sink): undefined {
  if (found !== undefined) emitRemove(sink);
  return undefined;
}

function extended(found: Json | undefined, wanted: Tokens, sink: Sink): Json | undefined {
  const { separator, parts } = wanted.$tokens;
  if (found !== undefined && found !== null && typeof found !== 'string') {
    emitKept(sink, found, wanted);
    return found;
  }
  let text = found ?? '';
  for (const part of parts) {
    if (hasToken(text, part, separator)) continue;
    text = text === '' ? part : text.endsWith(separator) ? text + part : text + separator + part;
  }
  if (text === (found ?? '')) return found;
  emitSet(sink, found, text);
  return text;
}

/** A part may hold the separator itself (`--require /a.js`): look for it between separators, do not split. */
function hasToken(text: string, part: string, separator: string): boolean {
  return (separator + text + separator).includes(separator + part + separator);
}

function filled(found: Json | undefined, wanted: Json, shape: Shape, sink: Sink): Json | undefined {
  const value = plain(wanted, shape);
  if (value === undefined || absenceSays(value, shape)) return found;
  emitSet(sink, found, value);
  return value;
}

/** Whether a missing field says this value already, since the API server would drop it again. */
function absenceSays(value: Json, shape: Shape): boolean {
  switch (shape.type) {
    case 'omitted':
      return value === shape.zero;
    case 'map':
      return isJsonObject(value) && Object.keys(value).length === 0;
    case 'list':
    case 'set':
      return isJsonArray(value) && value.length === 0;
    default:
      return false;
  }
}
