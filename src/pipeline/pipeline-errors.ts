import { PodgraftError } from '../podgraft-error.ts';
import type { Stage } from './pipeline.ts';
import type { Step } from './trace.ts';

/** An exception of an injector, with its name. */
export class InjectorFailed extends PodgraftError {
  readonly injector: string;

  constructor(injector: string, cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super('INJECTOR_FAILED', `Injector "${injector}" failed: ${message}`, { cause });
    this.injector = injector;
  }
}

export type Failure = Extract<Step, { decision: 'denied' | 'failed' }>;

/**
 * The step of an injector that could not be applied: it is skipped or, if the object is at fault, denies it. Throws InjectorFailed if neither.
 */
export function failureOf(
  { name, onError }: Stage,
  round: number,
  cause: unknown,
  isFault: boolean,
): Failure {
  const error = new InjectorFailed(name, cause);
  const reason = error.message;
  if (onError === 'skip') return { injector: name, round, decision: 'failed', reason, error };
  if (!isFault) throw error;
  return { injector: name, round, decision: 'denied', reason };
}

export function skipWarning({ reason }: Failure): string {
  return `${reason}; it was skipped`;
}

/** The injectors that keep changing an object, and an error that names them and the place. */
export interface Unsettled {
  readonly injectors: readonly string[];
  readonly error: PodgraftError;
}

/** Finds two injectors that disagree, or one that never settles. */
export function unsettled(trace: readonly Step[], lastRound: number): Unsettled {
  const changes = trace
    .filter((step) => step.round === lastRound)
    .flatMap((step) =>
      step.decision === 'grafted' ? step.patch.map(({ path }) => ({ injector: step.injector, path })) : [],
    )
    .map((change, index): Change => ({ ...change, place: placeOf(change.path), index }));
  const [one, other] = overlapping(changes) ?? [];
  if (one && other) {
    const place = one.place.length < other.place.length ? one.place : other.place;
    return conflict(one.injector, other.injector, place);
  }
  const [first] = changes;
  const rival = changes.find((change) => change.injector !== first?.injector);
  if (first && rival) return conflict(first.injector, rival.injector, first.place);
  const { injector = '', path = '' } = first ?? {};
  const message = `Injector "${injector}" does not settle: it changes "${path}" again on its own result`;
  return { injectors: [injector], error: new PodgraftError('INJECTOR_UNSETTLED', message) };
}

interface Change {
  readonly injector: string;
  readonly path: string;
  readonly place: string;
  readonly index: number;
}

/** The first two changes by different injectors, one at the other's place or below it. There may be a hundred thousand changes. */
function overlapping(changes: readonly Change[]): readonly [Change, Change] | undefined {
  const byPlace = new Map<string, Change[]>();
  for (const change of changes) {
    const known = byPlace.get(change.place);
    if (known === undefined) byPlace.set(change.place, [change]);
    // Two are enough: at least one of them differs from the injector of any change.
    else if (known.length === 1 && known[0]?.injector !== change.injector) known.push(change);
  }
  let found: readonly [Change, Change] | undefined;
  for (const change of changes) {
    for (const place of placesAbove(change.place)) {
      const other = byPlace.get(place)?.find(({ injector }) => injector !== change.injector);
      if (other === undefined) continue;
      const pair = change.index < other.index ? ([change, other] as const) : ([other, change] as const);
      if (found === undefined || pair[0].index < found[0].index) found = pair;
    }
  }
  return found;
}

/** The place itself, and those that it is in. */
function placesAbove(place: string): readonly string[] {
  const places = [place];
  for (let slash = place.indexOf('/'); slash >= 0; slash = place.indexOf('/', slash + 1))
    places.push(place.slice(0, slash));
  return places;
}

function conflict(one: string, other: string, place: string): Unsettled {
  const message = `Injectors "${one}" and "${other}" do not agree on "${place}"`;
  return { injectors: [one, other], error: new PodgraftError('INJECTORS_CONFLICT', message) };
}

/** The list, not the index: an item that comes and goes has a different index each time. */
function placeOf(path: string): string {
  return path.replace(/\/(-|\d+)$/, '');
}
