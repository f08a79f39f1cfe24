import {
  type AbsentItem,
  type AtLeast,
  type Force,
  forcedValue,
  isAbsent,
  isAtLeast,
  isForce,
  isTokens,
  minimumOf,
  namePatternOf,
  type Tokens,
  whenOf,
  withWhen,
} from '../../graft/directive.ts';
import { expandOverlay } from '../../graft/expand-overlay.ts';
import { graft } from '../../graft/graft.ts';
import { containsExpression } from '../../graft/resolve-expressions.ts';
import { type Shape, struct } from '../../graft/shape.ts';
import { withTokens } from '../../graft/with-tokens.ts';
import { isJsonArray, isJsonObject, type Json } from '../../json/json.ts';
import { isTranslated, translated } from './translated.ts';
import { literal } from './value-text.ts';

/**
 * What the merge adds for a member of an object that lacks it; undefined for nothing. Parts with a condition keep it, beside their
 * fields or a translation.
 */
export function plainValue(key: string, wanted: Json, shape: Shape): Json | undefined {
  const overlay = expandOverlay({ [key]: withConditions(wanted) }, {});
  return graft({}, overlay, struct({ [key]: shape })).object[key];
}

/** The merge does not know conditions, and would drop one beside another directive. */
function withConditions(wanted: Json): Json {
  if (isJsonArray(wanted)) {
    return wanted.map((item) => (isDynamicPattern(item) ? null : withConditions(item)));
  }
  if (!isJsonObject(wanted) || isTranslated(wanted)) return wanted;
  if (isForce(wanted) || isAbsent(wanted) || isTokens(wanted) || isAtLeast(wanted)) {
    const when = whenOf(wanted);
    return when === undefined ? wanted : conditional(when, addedBy(wanted));
  }
  return Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, withConditions(value)]));
}

/** What a directive adds where there is nothing; null for nothing. */
function addedBy(wanted: Force | AbsentItem | Tokens | AtLeast): Json {
  if (isForce(wanted)) return forcedValue(wanted);
  if (isAtLeast(wanted)) return minimumOf(wanted);
  return isTokens(wanted) ? withTokens('', wanted) || null : null;
}

function conditional(when: string, value: Json): Json {
  if (value === null) return null;
  return withWhen(
    when,
    isTranslated(value) ? value : translated(literal(value), { type: 'constant', value }),
  );
}

/** A pattern with expressions is for items that the object has. */
function isDynamicPattern(item: Json): boolean {
  return namePatternOf(item) !== undefined && containsExpression(item);
}
