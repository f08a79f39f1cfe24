import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';

export interface OverlayIssue {
  readonly path: readonly string[];
  readonly message: string;
}

/** Every mistake in the directives of a hand-written overlay; the engine takes them as given. */
export function checkOverlay(overlay: JsonObject): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  walk(overlay, [], false);
  return issues;

  function walk(value: Json, path: readonly string[], inList: boolean): void {
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...path, String(index)], true);
    } else if (isJsonObject(value)) {
      const keys = Object.keys(value);
      for (const key of keys) {
        const child = value[key] as Json;
        if (!key.startsWith('$')) walk(child, [...path, key], false);
        else if (key === '$at')
          report([...path, key], inList ? checkAt(child) : '"$at" is for items of a list');
        else if (path.length === 0) report([key], `"${key}" is for a field, not for the whole object`);
        else report([...path, key], checkDirective(key, child, inList) ?? alone(keys, key));
      }
    }
  }

  function report(path: readonly string[], message: string | undefined): void {
    if (message !== undefined) issues.push({ path, message });
  }
}

function checkDirective(key: string, value: Json, inList: boolean): string | undefined {
  if (inList && ['$force', '$tokens', '$atLeast'].includes(key)) {
    return `"${key}" is for a field, not for an item of a list`;
  }
  switch (key) {
    case '$force':
      return undefined;
    case '$absent':
      if (inList) return value === true ? 'expected the keys of the item to remove, found true' : undefined;
      return value === true ? undefined : 'expected true';
    case '$atLeast':
      return typeof value === 'number' ? undefined : 'expected a number';
    case '$tokens':
      return isTokens(value) ? undefined : 'expected {separator: string, parts: list of strings}';
    default:
      return `unknown directive "${key}", expected $force, $absent, $tokens, $atLeast or $at`;
  }
}

function alone(keys: readonly string[], key: string): string | undefined {
  return keys.length === 1 ? undefined : `"${key}" must stand alone`;
}

function isTokens(value: Json): boolean {
  if (!isJsonObject(value) || typeof value.separator !== 'string') return false;
  return isJsonArray(value.parts) && value.parts.every((part) => typeof part === 'string');
}

function checkAt(value: Json): string | undefined {
  const expected =
    'expected first, last, {before: NAME} or {after: NAME}, with keep: true where it must stay';
  if (value === 'first' || value === 'last') return undefined;
  if (!isJsonObject(value)) return expected;
  const { keep, ...place } = value;
  const [[name, target] = ['', null], ...more] = Object.entries(place);
  const placed =
    ((name === 'first' || name === 'last') && target === true) ||
    ((name === 'before' || name === 'after') && typeof target === 'string');
  return placed && more.length === 0 && (keep === undefined || typeof keep === 'boolean')
    ? undefined
    : expected;
}
