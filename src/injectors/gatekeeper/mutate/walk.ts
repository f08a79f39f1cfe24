import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  withMember,
} from '../../../sdk/index.ts';
import { type LocationNode, locationText } from '../location/location.ts';
import type { Mutator } from '../resource/mutator.ts';
import { mutationFailed } from './mutation-failed.ts';
import { newValue } from './new-value.ts';
import type { Subject } from './subject.ts';

/** Applies a mutator to an object. Unchanged parts are shared; returns the very same object if nothing changes. */
export function walk(mutator: Mutator, object: JsonObject, subject: Subject): JsonObject {
  return visit({ mutator, subject }, object, 0) as JsonObject;
}

interface Walk {
  readonly mutator: Mutator;
  readonly subject: Subject;
}

/** Whatever was created on the way down is attached only if something below has changed. */
function visit(on: Walk, current: Json, depth: number): Json {
  const node = nodeAt(on, depth);
  if (node.type === 'field') {
    if (isJsonObject(current)) return visitField(on, current, node.name, depth);
    throw mismatch(on, current, depth, 'a map');
  }
  if (!isJsonArray(current)) throw mismatch(on, current, depth, 'a list');
  if (node.type === 'glob') return visitAll(on, current, depth);
  return isLast(on, depth) ? setElement(on, current, node, depth) : visitElements(on, current, node, depth);
}

function visitField(on: Walk, object: JsonObject, name: string, depth: number): Json {
  const found = member(object, name);
  if (!isWanted(on, depth, found !== undefined)) return object;
  const next = isLast(on, depth) ? newValue(on.mutator, found, on.subject) : visitChild(on, found, depth);
  return next === undefined || next === found ? object : withMember(object, name, next);
}

/** Undefined if the child is missing and nothing below it changes. */
function visitChild(on: Walk, found: Json | undefined, depth: number): Json | undefined {
  const child = found ?? (nodeAt(on, depth + 1).type === 'field' ? NO_FIELDS : NO_ELEMENTS);
  const next = visit(on, child, depth + 1);
  return next === child ? found : next;
}

const NO_FIELDS: JsonObject = {};
const NO_ELEMENTS: readonly Json[] = [];

function visitAll(on: Walk, list: readonly Json[], depth: number): Json {
  // "MustNotExist" for a glob never holds.
  if (!isWanted(on, depth, true)) return list;
  return mapShared(list, (element) => visit(on, element, depth + 1));
}

type ElementNode = Extract<LocationNode, { type: 'element' }>;

/** Every element with the key counts; if there is none, one is appended. */
function visitElements(on: Walk, list: readonly Json[], node: ElementNode, depth: number): Json {
  const value = keyValue(node);
  if (!list.some((element) => hasKey(element, node.key, value))) {
    if (!isWanted(on, depth, false)) return list;
    const element: JsonObject = withMember(NO_FIELDS, node.key, value);
    const next = visit(on, element, depth + 1);
    return next === element ? list : [...list, next];
  }
  if (!isWanted(on, depth, true)) return list;
  return mapShared(list, (element) =>
    hasKey(element, node.key, value) ? visit(on, element, depth + 1) : element,
  );
}

/** The location ends here: the first element with the key is replaced as a whole. */
function setElement(on: Walk, list: readonly Json[], node: ElementNode, depth: number): Json {
  const value = keyValue(node);
  const index = list.findIndex((element) => {
    if (isJsonObject(element)) return hasKey(element, node.key, value);
    throw mutationFailed(
      on.mutator,
      `"${locationText(on.mutator.location.nodes, depth)}" has elements that are not maps`,
    );
  });
  if (!isWanted(on, depth, index >= 0)) return list;
  const found = index < 0 ? undefined : list[index];
  const next = newValue(on.mutator, found, on.subject) as Json;
  if (index < 0) return [...list, next];
  return next === found ? list : list.with(index, next);
}

/** By JSON type and value: 8080 never equals "8080". */
function hasKey(element: Json, key: string, value: string | number): boolean {
  return isJsonObject(element) && member(element, key) === value;
}

function keyValue({ value }: ElementNode): string | number {
  return typeof value === 'bigint' ? Number(value) : value;
}

function isWanted({ mutator }: Walk, depth: number, exists: boolean): boolean {
  const condition = mutator.pathTests[depth];
  return condition === undefined || (condition === 'MustExist') === exists;
}

function isLast({ mutator }: Walk, depth: number): boolean {
  return depth === mutator.location.nodes.length - 1;
}

function nodeAt({ mutator }: Walk, depth: number): LocationNode {
  return mutator.location.nodes[depth] as LocationNode;
}

function mapShared(list: readonly Json[], change: (item: Json) => Json): readonly Json[] {
  let next: Json[] | undefined;
  for (const [index, item] of list.entries()) {
    const changed = change(item);
    if (changed === item) continue;
    next ??= [...list];
    next[index] = changed;
  }
  return next ?? list;
}

function mismatch({ mutator }: Walk, found: Json, depth: number, expected: string) {
  const place = depth === 0 ? 'the object' : `"${locationText(mutator.location.nodes, depth)}"`;
  const type = isJsonArray(found) ? 'a list' : isJsonObject(found) ? 'a map' : `a ${typeof found}`;
  return mutationFailed(
    mutator,
    `${place} is ${type}, but location "${mutator.location.text}" expects ${expected}`,
  );
}
