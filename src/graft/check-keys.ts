import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { absentItem, DIRECTIVE, forcedValue, isAbsent, isCel, isDirective, isForce } from './directive.ts';
import { missingKey } from './list-key.ts';
import type { OverlayProblem } from './overlay-problem.ts';
import { fieldShape, itemShape, type Shape } from './shape.ts';

/** List items that lack their merge key. */
export function keyProblems(overlay: JsonObject, shape: Shape): OverlayProblem[] {
  const problems: OverlayProblem[] = [];
  walk(overlay, shape, []);
  return problems;

  function walk(value: Json, expected: Shape, path: readonly string[]): void {
    if (isForce(value)) return walk(forcedValue(value), expected, [...path, DIRECTIVE.force]);
    if (isJsonArray(value)) return walkItems(value, expected, path);
    if (!isJsonObject(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (!isDirective(key)) walk(child, fieldShape(expected, key), [...path, key]);
    }
  }

  function walkItems(items: readonly Json[], list: Shape, path: readonly string[]): void {
    for (const [index, item] of items.entries()) {
      const place = [...path, String(index), ...(isAbsent(item) ? [DIRECTIVE.absent] : [])];
      const wanted = isAbsent(item) ? absentItem(item) : item;
      // An expression may give whole items.
      if (isCel(wanted)) continue;
      const missing = list.type === 'list' && isJsonObject(wanted) ? missingKey(wanted, list) : undefined;
      if (missing === undefined) walk(wanted, itemShape(list), place);
      else problems.push({ path: place, message: `an item needs "${missing}"` });
    }
  }
}
