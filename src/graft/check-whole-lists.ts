import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { DIRECTIVE, isAtLeast, isDirective, isForce, isTokens } from './directive.ts';
import type { OverlayProblem } from './overlay-problem.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';

/**
 * Directives inside items that are never changed: the list is set as a whole if it is absent, or it has no keys, and items are only
 * added. The value of `$force` is added with them; `$absent` and `$at` do nothing at all.
 */
export function wholeListProblems(overlay: JsonObject, root: Shape): OverlayProblem[] {
  const problems: OverlayProblem[] = [];
  walk(overlay, root, [], false, undefined, false);
  return problems;

  /** `list` is the list without keys that the value is in. */
  function walk(
    value: Json,
    shape: Shape,
    path: readonly string[],
    isInWhole: boolean,
    list: UnkeyedList | undefined,
    isItem: boolean,
  ): void {
    const isWhole = isInWhole || shape.type === 'whole';
    if (isJsonArray(value)) {
      const inner = list ?? unkeyed(shape, path, isWhole);
      for (const [index, item] of value.entries())
        walk(item, itemShape(shape), [...path, String(index)], isWhole, inner, true);
      return;
    }
    if (!isJsonObject(value)) return;
    if (list !== undefined) report(value, path, list, isItem);
    for (const [key, child] of Object.entries(value)) {
      if (!isDirective(key)) walk(child, fieldShape(shape, key), [...path, key], isWhole, list, false);
    }
  }

  function report(value: JsonObject, path: readonly string[], list: UnkeyedList, isItem: boolean): void {
    const setsValue = isForce(value) || isTokens(value) || isAtLeast(value);
    const canPlace = isItem && list.isSet;
    for (const key of Object.keys(value)) {
      const isIdle = (key === DIRECTIVE.absent || key === DIRECTIVE.at) && !canPlace;
      if (!isIdle && !(setsValue && isDirective(key))) continue;
      const message = `"${key}" has no effect in "${list.name}", ${list.isSet ? SET : WHOLE}`;
      problems.push({ path: [...path, key], message, ...(!isIdle && { severity: 'warning' as const }) });
    }
  }
}

const WHOLE = `a list that is set as a whole: use {${DIRECTIVE.force}: …} for the list to replace it`;
const SET = 'a list whose items have no keys: they are added and removed, but not changed';

interface UnkeyedList {
  readonly name: string;
  /** Items are added to the list if it is there. */
  readonly isSet: boolean;
}

function unkeyed(shape: Shape, path: readonly string[], isWhole: boolean): UnkeyedList | undefined {
  if (shape.type === 'list' && !isWhole) return undefined;
  return { name: path.at(-1) ?? '', isSet: shape.type === 'set' && !isWhole };
}
