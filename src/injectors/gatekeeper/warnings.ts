import { type JsonObject, quoted } from '../../sdk/index.ts';
import { changedPlaces } from './mutate/changed-places.ts';
import { matchesObject } from './mutate/matches-object.ts';
import { routeOf } from './mutate/route.ts';
import type { Subject } from './mutate/subject.ts';
import { walk } from './mutate/walk.ts';
import type { Mutator } from './resource/mutator.ts';
import { conflictText } from './system/schema-conflicts.ts';
import type { DisabledMutator } from './system/system.ts';

/** For mutators that conflicts have switched off and that would have been applied. */
export function disabledWarnings(
  mutators: readonly DisabledMutator[],
  object: JsonObject,
  subject: Subject,
): readonly string[] {
  if (mutators.length === 0) return [];
  const conflicts = mutators.flatMap(({ mutator, conflicts }) =>
    attempt(() => matchesObject(mutator, object, subject)) === true ? conflicts : [],
  );
  return [...new Set(conflicts)].map(conflictText);
}

const MOST_PLACES = 3;

/** For mutators with mode `warn`: what they would change after all others. */
export function dryRunWarnings(mutators: readonly Mutator[], object: JsonObject, subject: Subject): string[] {
  return mutators.flatMap((mutator) => {
    const result = attempt(() => {
      if (!matchesObject(mutator, object, subject)) return undefined;
      return changedPlaces(object, walk(routeOf([mutator]), object, subject), MOST_PLACES + 1);
    });
    if (result instanceof Error) return [`${mutator.title} would fail: ${result.message}`];
    if (result === undefined || result.length === 0) return [];
    const places = result.slice(0, MOST_PLACES).map((place) => quoted(place));
    const more = result.length > MOST_PLACES ? ' and more' : '';
    return [`${mutator.title} would change ${places.join(', ')}${more}`];
  });
}

/** A mutator that is not enforced must not fail the request. */
function attempt<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
