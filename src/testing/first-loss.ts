import { applyPatch } from '../json/apply-patch.ts';
import { isJsonArray, type Json } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { valueAt } from '../json/value-at.ts';

/** The first operation that loses something; filling a null or lengthening a string loses nothing. */
export function firstLoss(document: Json, patch: Patch): Operation | undefined {
  let current = document;
  for (const operation of patch) {
    const found = valueAt(current, operation.path) ?? null;
    if (operation.op === 'remove' || operation.op === 'move') return operation;
    const inserts = operation.op === 'add' && isJsonArray(valueAt(current, parentOf(operation.path)));
    const lengthens = typeof found === 'string' && String(operation.value).includes(found);
    if (!inserts && found !== null && !lengthens) return operation;
    current = applyPatch(current, [operation]);
  }
  return undefined;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
