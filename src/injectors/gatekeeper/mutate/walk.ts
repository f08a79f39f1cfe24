import {
  copyOf,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  setMember,
} from '../../../sdk/index.ts';
import { type LocationNode, locationText } from '../location/location.ts';
import type { Mutator } from '../resource/mutator.ts';
import { mutationFailed } from './mutation-failed.ts';
import { newValue } from './new-value.ts';
import { type Action, type Route, type Step, setsElement } from './route.ts';
import type { Subject } from './subject.ts';

/**
 * Applies the mutators of a route to an object. Unchanged parts are shared; returns the very same object if nothing changes.
 * Those that change something are appended to `changing`, once for each place.
 */
export function walk(
  route: Route,
  object: JsonObject,
  subject: Subject,
  changing: Mutator[] = [],
): JsonObject {
  return follow({ subject, changing }, route, object) as JsonObject;
}

interface Walk {
  readonly subject: Subject;
  readonly changing: Mutator[];
}

/** Undefined if the value is missing and stays so. */
function follow(on: Walk, route: Route, found: Json | undefined): Json | undefined {
  let value = found;
  for (const action of route) value = act(on, action, value);
  return value;
}

/** Whatever was created on the way down is attached only if something below has changed. */
function act(on: Walk, action: Action, found: Json | undefined): Json | undefined {
  if (action.type === 'set') return set(on, action.mutator, found);
  if (action.type === 'fields') {
    const object = found ?? NO_FIELDS;
    const next = visitFields(on, action.steps, object);
    return next === object ? found : next;
  }
  const list = found ?? NO_ELEMENTS;
  const next = visitList(on, action.step, list);
  return next === list ? found : next;
}

const NO_FIELDS: JsonObject = {};
const NO_ELEMENTS: readonly Json[] = [];

function set(on: Walk, mutator: Mutator, found: Json | undefined): Json | undefined {
  const next = newValue(mutator, found, on.subject);
  if (next === undefined || next === found) return found;
  on.changing.push(mutator);
  return next;
}

type FieldSteps = Extract<Action, { type: 'fields' }>['steps'];

function visitFields(on: Walk, steps: FieldSteps, object: Json): Json {
  if (!isJsonObject(object)) throw mismatch(steps[0] as Step, object, 'a map');
  let next: Record<string, Json> | undefined;
  for (const step of steps) {
    const { name } = step.node;
    const found = member(object, name);
    if (!isWanted(step, found !== undefined)) continue;
    const value = follow(on, step.route, found);
    if (value === undefined || value === found) continue;
    next ??= copyOf(object);
    setMember(next, name, value);
  }
  return next ?? object;
}

function visitList(on: Walk, step: Step, list: Json): Json {
  if (!isJsonArray(list)) throw mismatch(step, list, 'a list');
  const { node } = step;
  if (node.type !== 'element') return visitAll(on, step, list);
  return setsElement(step) ? setElement(on, step, node, list) : visitElements(on, step, node, list);
}

function visitAll(on: Walk, step: Step, list: readonly Json[]): Json {
  // "MustNotExist" for a glob never holds.
  if (!isWanted(step, true)) return list;
  let next: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const changed = follow(on, step.route, list[index]) as Json;
    if (changed === list[index]) continue;
    next ??= list.slice();
    next[index] = changed;
  }
  return next ?? list;
}

type ElementNode = Extract<LocationNode, { type: 'element' }>;

/** Every element with the key counts; if there is none, one is appended. */
function visitElements(on: Walk, step: Step, node: ElementNode, list: readonly Json[]): Json {
  const value = keyValue(node);
  let index = indexOfKey(list, node.key, value);
  if (!isWanted(step, index >= 0)) return list;
  if (index < 0) {
    const element: Record<string, Json> = {};
    setMember(element, node.key, value);
    const next = follow(on, step.route, element) as Json;
    return next === element ? list : [...list, next];
  }
  let next: Json[] | undefined;
  for (; index >= 0; index = indexOfKey(list, node.key, value, index + 1)) {
    const changed = follow(on, step.route, list[index]) as Json;
    if (changed === list[index]) continue;
    next ??= list.slice();
    next[index] = changed;
  }
  return next ?? list;
}

/** The first element with the key is replaced as a whole. */
function setElement(on: Walk, step: Step, node: ElementNode, list: readonly Json[]): Json {
  const value = keyValue(node);
  const index = list.findIndex((element) => {
    if (isJsonObject(element)) return hasKey(element, node.key, value);
    throw mutationFailed(step.mutator, `"${placeOf(step)}" has elements that are not maps`);
  });
  if (!isWanted(step, index >= 0)) return list;
  const found = index < 0 ? undefined : list[index];
  const next = follow(on, step.route, found) as Json;
  if (index < 0) return [...list, next];
  return next === found ? list : list.with(index, next);
}

function indexOfKey(list: readonly Json[], key: string, value: string | number, from = 0): number {
  for (let index = from; index < list.length; index++) {
    if (hasKey(list[index] as Json, key, value)) return index;
  }
  return -1;
}

/** By JSON type and value: 8080 never equals "8080". */
function hasKey(element: Json, key: string, value: string | number): boolean {
  return isJsonObject(element) && member(element, key) === value;
}

function keyValue({ value }: ElementNode): string | number {
  return typeof value === 'bigint' ? Number(value) : value;
}

function isWanted({ test }: Step, exists: boolean): boolean {
  return test === undefined || (test === 'MustExist') === exists;
}

/** Where the step begins. */
function placeOf({ mutator, depth }: Step): string {
  return locationText(mutator.location.nodes, depth);
}

function mismatch(step: Step, found: Json, expected: string) {
  const { mutator, depth } = step;
  const place = depth === 0 ? 'the object' : `"${placeOf(step)}"`;
  const type = isJsonArray(found) ? 'a list' : isJsonObject(found) ? 'a map' : `a ${typeof found}`;
  return mutationFailed(
    mutator,
    `${place} is ${type}, but location "${mutator.location.text}" expects ${expected}`,
  );
}
