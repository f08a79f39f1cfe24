import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { type ListShape, type Shape, STRING } from '../../kube/shape.ts';
import type { OverlayIssue } from './check-overlay.ts';

/**
 * Every place of a hand-written overlay that is not as Kubernetes has it: a number in the place of a string, an item without
 * its key. A patch with such a value is an error for whoever creates a Pod, even where failurePolicy is Ignore.
 */
export function checkShape(overlay: JsonObject, shape: Shape): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  walk(overlay, shape, []);
  return issues;

  function walk(value: Json, expected: Shape, path: readonly string[]): void {
    if (value === null || isPlainDirective(value)) return;
    if (isJsonObject(value) && value.$force !== undefined) {
      return walk(value.$force, expected, [...path, '$force']);
    }
    switch (expected.type) {
      case 'any':
        return;
      case 'whole':
        return walk(value, expected.inner, path);
      case 'omitted':
        return expectType(value, expected.zero === '' ? 'string' : 'boolean', path);
      case 'quantity':
        if (typeof value !== 'number') expectType(value, 'string', path);
        return;
      case 'struct':
        return eachMember(value, path, (key) => expected.fields.get(key));
      case 'map':
        // Of what maps hold, only quantities are not strings.
        return eachMember(value, path, () => (expected.values.type === 'any' ? STRING : expected.values));
      case 'list':
      case 'set':
        return eachItem(value, expected, path);
    }
  }

  function eachMember(
    value: Json,
    path: readonly string[],
    shapeOf: (key: string) => Shape | undefined,
  ): void {
    if (!isJsonObject(value)) return report(path, 'a map', value);
    for (const [key, child] of Object.entries(value)) {
      const expected = key.startsWith('$') ? undefined : shapeOf(key);
      if (expected !== undefined) walk(child, expected, [...path, key]);
    }
  }

  function eachItem(value: Json, expected: Shape & { item: Shape }, path: readonly string[]): void {
    if (!isJsonArray(value)) return report(path, 'a list', value);
    for (const [index, item] of value.entries()) {
      const isRemoved = isJsonObject(item) && item.$absent !== undefined;
      const place = [...path, String(index), ...(isRemoved ? ['$absent'] : [])];
      const wanted = isRemoved ? (item.$absent as Json) : item;
      const missing = expected.type === 'list' ? missingKey(wanted, expected) : undefined;
      if (missing === undefined) walk(wanted, expected.item, place);
      else issues.push({ path: place, message: `an item needs "${missing}"` });
    }
  }

  function expectType(value: Json, type: 'string' | 'boolean', path: readonly string[]): void {
    if (typeof value !== type) report(path, type, value);
  }

  function report(path: readonly string[], expected: string, found: Json): void {
    const words = isJsonArray(found) ? 'a list' : isJsonObject(found) ? 'a map' : JSON.stringify(found);
    issues.push({ path, message: `expected ${expected}, found ${words}` });
  }
}

/** Those that stand for a value which is worked out from what is found. */
function isPlainDirective(value: Json): boolean {
  return isJsonObject(value) && ['$absent', '$tokens', '$atLeast'].some((key) => key in value);
}

function missingKey(item: Json, { keys, keyDefaults }: ListShape): string | undefined {
  if (!isJsonObject(item)) return keys[0];
  return keys.find((key) => (item[key] ?? keyDefaults[key] ?? null) === null);
}
