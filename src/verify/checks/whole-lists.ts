import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { parsePointer } from '../../json/pointer.ts';
import { valueAt } from '../../json/value-at.ts';
import { type TypedValue, typedKind } from '../../kube/typed/schema.ts';
import type { Check } from '../check.ts';
import { listed } from './passes.ts';
import { type PatchedStep, patchedSteps } from './patched.ts';

export const wholeLists: Check = {
  id: 'whole-lists',
  title: 'no list is replaced as a whole',
  why: 'A list that is replaced loses fields that the webhook does not know, such as those of a newer API version, and what other webhooks added.',
  mend: 'Add items with `{"op": "add", "path": "/spec/containers/-"}`, and change single fields of items.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const outcome = await session.admit(subjects, session.requestFor(subjects, object));
    const paths = [...new Set(patchedSteps(outcome).flatMap(replacedLists))];
    return paths.length === 0 ? undefined : { message: `replaces whole lists: ${listed(paths)}`, paths };
  },
};

function replacedLists({ before, operations }: PatchedStep): string[] {
  const root = typedKind(String(before.apiVersion), String(before.kind));
  return operations.flatMap(({ op, path }) => {
    if (root === undefined || typeof path !== 'string' || (op !== 'replace' && op !== 'add')) return [];
    const parts = parsePointer(path);
    const parent = valueAt(before, path.slice(0, path.lastIndexOf('/')));
    // Adding to a list puts an item before another one.
    if (op === 'add' && isJsonArray(parent)) return [];
    const found = path === '' ? before : valueAt(before, path);
    const type = parts.reduce(memberType, root as TypedValue);
    return found === undefined ? [] : listsIn(found, type, parts.join('.'));
  });
}

function memberType(type: TypedValue, key: string): TypedValue {
  if (type.type === 'struct') return type.fields().get(key)?.type ?? { type: 'any' };
  if (type.type === 'list') return type.item;
  return type.type === 'map' ? type.values : { type: 'any' };
}

/** Lists with items that have an identity; the others can only be replaced. */
function listsIn(value: Json, type: TypedValue, path: string): string[] {
  if (isJsonArray(value)) {
    return type.type === 'list' && type.merge !== 'atomic' && value.length > 0 ? [path] : [];
  }
  if (!isJsonObject(value) || type.type !== 'struct') return [];
  return Object.entries(value as JsonObject).flatMap(([key, child]) =>
    listsIn(child, memberType(type, key), path === '' ? key : `${path}.${key}`),
  );
}
