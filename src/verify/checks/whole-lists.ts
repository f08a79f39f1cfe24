import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { escapeSegment, parsePointer } from '../../json/pointer.ts';
import { valueAt } from '../../json/value-at.ts';
import { type TypedValue, typedKind } from '../../kube/typed/schema.ts';
import { applyGoPatch } from '../../policy/patch/go-patch.ts';
import type { Check } from '../check.ts';
import { listed } from './passes.ts';
import { type PatchedStep, patchedSteps } from './patched.ts';

export const wholeLists: Check = {
  id: 'whole-lists',
  title: 'no list is replaced as a whole',
  why: 'A list that is replaced loses fields that the webhook does not know, such as those of a newer API version, and what other webhooks added.',
  fix: 'Add items with `{"op": "add", "path": "/spec/containers/-"}`, and change single fields of items.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const outcome = await session.admit(subjects, session.requestFor(subjects, object));
    const paths = outermost(patchedSteps(outcome).flatMap(replacedLists));
    return paths.length === 0 ? undefined : { message: `replaces whole lists: ${listed(paths)}`, paths };
  },
};

/** Without lists inside of others. */
function outermost(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => path !== other && path.startsWith(other)));
}

/** Operation by operation: the indices of each refer to the result of those before it. */
function replacedLists({ before, operations }: PatchedStep): string[] {
  const root = typedKind(String(before.apiVersion), String(before.kind));
  if (root === undefined) return [];
  const had = new Set(listsIn(before, root, ''));
  let current: Json = before;
  return operations.flatMap((operation) => {
    const found = targetLists(operation, current, root);
    const next = applyGoPatch(current, [operation]);
    if (!('error' in next)) current = next.value;
    // A list that this patch has added may be replaced.
    return found.filter((path) => had.has(path));
  });
}

function targetLists({ op, path }: JsonObject, current: Json, root: TypedValue): string[] {
  if (typeof path !== 'string' || (op !== 'replace' && op !== 'add')) return [];
  const parent = path === '' ? undefined : valueAt(current, path.slice(0, path.lastIndexOf('/')));
  // Adding to a list puts an item before another one.
  if (op === 'add' && isJsonArray(parent)) return [];
  let value: Json | undefined = current;
  let type = root;
  let shown = '';
  for (const part of parsePointer(path)) {
    const child: Json | undefined =
      value === undefined ? undefined : valueAt(value, `/${escapeSegment(part)}`);
    shown = isJsonArray(value) ? `${shown}[${nameOf(child, part)}]` : joined(shown, part);
    type = memberType(type, part);
    value = child;
  }
  return value === undefined ? [] : listsIn(value, type, shown);
}

function nameOf(item: Json | undefined, index: string | number): string {
  return isJsonObject(item) && typeof item.name === 'string' ? item.name : String(index);
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function memberType(type: TypedValue, key: string): TypedValue {
  if (type.type === 'struct') return type.fields().get(key)?.type ?? { type: 'any' };
  if (type.type === 'list') return type.item;
  return type.type === 'map' ? type.values : { type: 'any' };
}

/** Lists with items that have an identity, at any depth; the others can only be replaced. */
function listsIn(value: Json, type: TypedValue, path: string): string[] {
  if (isJsonArray(value)) {
    if (type.type !== 'list' || value.length === 0) return [];
    const inner = value.flatMap((item, index) => listsIn(item, type.item, `${path}[${nameOf(item, index)}]`));
    return type.merge === 'atomic' ? inner : [path, ...inner];
  }
  if (!isJsonObject(value) || type.type !== 'struct') return [];
  return Object.entries(value as JsonObject).flatMap(([key, child]) =>
    listsIn(child, memberType(type, key), joined(path, key)),
  );
}
