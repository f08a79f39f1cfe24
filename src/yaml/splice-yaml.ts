import { applyPatch } from '../json/apply-patch.ts';
import type { Json } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import type { Pointer } from '../json/pointer.ts';
import { sameJson } from '../json/same-json.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { draftPatch } from './draft.ts';
import { expandAliases } from './expand-aliases.ts';
import { isJsonTooDeep } from './nesting.ts';
import { rebuildDocument } from './rebuild-document.ts';
import { parseSource, type Source } from './source.ts';
import { spliceInPlace } from './splice-in-place.ts';
import { styleOf } from './style.ts';
import { Unspliceable } from './unspliceable.ts';

/**
 * Applies a patch to the text of one YAML document (JSON is one too); what the patch does not touch stays as it was,
 * byte by byte. `at` is where in the document the patch's paths begin, such as `/items/0`.
 *
 * Each way of editing is checked by reading its result again, and the first that says what the patch wants is taken:
 * in place; in place after aliases have been written out, as few as need be or all; the whole document printed anew with its comments.
 *
 * An item that moves within its list takes its lines along. What moves into another collection is written anew there, with the comments
 * inside it: one beside its old key may be lost, none is doubled. The engine makes no such move.
 */
export function spliceYaml(text: string, patch: Patch, at: Pointer = ''): string {
  if (patch.length === 0) return text;
  const source = parseSource(text);
  const operations = patch.map((operation) => rooted(operation, at));
  const wanted = applyPatch(source.value, operations);
  if (isJsonTooDeep(wanted)) throw new PodgraftError('INPUT_INVALID', 'Cannot edit YAML: nested too deeply');
  if (sameJson(source.value, wanted)) return text;
  for (const way of [spliceInPlace, withoutConcernedAliases, withoutAliases, rebuilt]) {
    const result = attempt(() => way(source, operations));
    if (result !== undefined && says(result, wanted)) return result;
  }
  throw new PodgraftError(
    'INPUT_INVALID',
    'Cannot edit YAML: no text was found that says what the patch wants',
  );
}

function rooted(operation: Operation, at: Pointer): Operation {
  const path = at + operation.path;
  switch (operation.op) {
    case 'add':
      // Adding the root replaces it; adding at an index would insert.
      return { ...operation, op: operation.path === '' ? 'replace' : 'add', path };
    case 'move':
      return { ...operation, path, from: at + operation.from };
    default:
      return { ...operation, path };
  }
}

function withoutConcernedAliases(source: Source, patch: Patch): string | undefined {
  if (source.aliases.length === 0) return undefined;
  return spliceInPlace(parseSource(expandAliases(source, draftPatch(source, patch))), patch);
}

function withoutAliases(source: Source, patch: Patch): string | undefined {
  return source.aliases.length === 0 ? undefined : spliceInPlace(parseSource(expandAliases(source)), patch);
}

function rebuilt(source: Source, patch: Patch): string {
  return rebuildDocument({ ...source, style: styleOf(source) }, draftPatch(source, patch));
}

function attempt(way: () => string | undefined): string | undefined {
  try {
    return way();
  } catch (error) {
    if (error instanceof Unspliceable || error instanceof PodgraftError) return undefined;
    throw error;
  }
}

function says(text: string, wanted: Json): boolean {
  return attempt(() => (sameJson(parseSource(text).value, wanted) ? text : undefined)) !== undefined;
}
