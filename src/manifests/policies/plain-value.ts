import { isAbsent, isAtLeast, isForce, isTokens, namePatternOf } from '../../graft/directive.ts';
import { expandOverlay } from '../../graft/expand-overlay.ts';
import { withTokens } from '../../graft/extend-text.ts';
import { graft } from '../../graft/graft.ts';
import { type Shape, struct } from '../../graft/shape.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';

/**
 * What the merge adds for a member of an object that lacks it; undefined for nothing. Parts with a condition keep it, beside their
 * fields or `$value`.
 */
export function plainValue(key: string, wanted: Json, shape: Shape): Json | undefined {
  const overlay = expandOverlay({ [key]: withConditions(wanted) }, {});
  return graft({}, overlay, struct({ [key]: shape })).object[key];
}

/** The merge does not know `$when`, and would drop it beside another directive. */
function withConditions(wanted: Json): Json {
  if (isJsonArray(wanted)) {
    return wanted.map((item) => (isDynamicPattern(item) ? null : withConditions(item)));
  }
  if (!isJsonObject(wanted)) return wanted;
  const { $when } = wanted;
  if ($when !== undefined) {
    if (isForce(wanted)) return { $when, $value: wanted.$force };
    if (isAtLeast(wanted)) return { $when, $value: wanted.$atLeast };
    if (isAbsent(wanted)) return null;
    if (isTokens(wanted)) return { $when, $value: withTokens('', wanted) || null };
  }
  if (isForce(wanted) || isAbsent(wanted) || isTokens(wanted) || isAtLeast(wanted)) return wanted;
  return Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, withConditions(value)]));
}

/** A pattern with expressions is for items that the object has. */
function isDynamicPattern(item: Json): boolean {
  return namePatternOf(item) !== undefined && isConditional(item);
}

/** Whether a part of a translated overlay depends on an expression. */
export function isConditional(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isJsonArray(value)) return value.some(isConditional);
  const { $when, $expression, $optional } = value as JsonObject;
  if ($when !== undefined || $expression !== undefined || $optional !== undefined) return true;
  return Object.values(value).some((child) => isConditional(child as Json));
}
