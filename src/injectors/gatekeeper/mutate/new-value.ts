import { isJsonArray, type Json, sameJson } from '../../../sdk/index.ts';
import { replaceParts } from '../resource/image-reference.ts';
import type { ExternalSource, Mutator } from '../resource/mutator.ts';
import { mutationFailed } from './mutation-failed.ts';
import { isPlaceholder, Placeholder } from './placeholder.ts';
import type { Subject } from './subject.ts';

/** The value of the field at the end of a location; the very value that was found if nothing changes, undefined if it stays absent. */
export function newValue(mutator: Mutator, found: Json | undefined, subject: Subject): Json | undefined {
  const { change } = mutator;
  switch (change.type) {
    case 'value':
      return replaced(found, change.value);
    case 'metadata':
      return replaced(found, change.field === 'name' ? subject.name : subject.namespace);
    case 'externalData':
      return placeholder(mutator, change.source, found, subject);
    case 'image':
      if (found === undefined) return replaceParts('', change);
      if (typeof found === 'string') return replaceParts(found, change);
      throw mutationFailed(mutator, `"${mutator.location.text}" is not a string`);
    case 'merge':
      // Without `fromList` there is nothing to add, not even an empty list.
      return found === undefined ? change.values : merged(listAt(mutator, found), change.values ?? []);
    case 'prune':
      return found === undefined ? undefined : pruned(listAt(mutator, found), change.values ?? []);
  }
}

function replaced(found: Json | undefined, value: Json): Json {
  return found !== undefined && sameJson(found, value) ? found : value;
}

/** Existing members stay in place. */
function merged(list: readonly Json[], values: readonly Json[]): readonly Json[] {
  let next: Json[] | undefined;
  for (const value of values) {
    if (isIn(next ?? list, value)) continue;
    next ??= [...list];
    next.push(value);
  }
  return next ?? list;
}

function pruned(list: readonly Json[], values: readonly Json[]): readonly Json[] {
  const next = list.filter((each) => !isIn(values, each));
  return next.length === list.length ? list : next;
}

function isIn(list: readonly Json[], value: Json): boolean {
  for (const each of list) if (sameJson(each, value)) return true;
  return false;
}

function listAt(mutator: Mutator, found: Json): readonly Json[] {
  if (isJsonArray(found)) return found;
  throw mutationFailed(mutator, `"${mutator.location.text}" is not a list`);
}

function placeholder(
  mutator: Mutator,
  source: ExternalSource,
  found: Json | undefined,
  { username }: Subject,
): Json {
  if (source.dataSource === 'Username') return new Placeholder(source, username).asJson();
  if (found !== undefined && typeof found !== 'string' && !isPlaceholder(found)) {
    throw mutationFailed(
      mutator,
      `"${mutator.location.text}" is not a string, so no provider can be called for it`,
    );
  }
  // Another mutator's placeholder may request the same value.
  const key = isPlaceholder(found) ? found.key : (found ?? '');
  return new Placeholder(source, key).asJson();
}
