import { PodgraftError } from '../podgraft-error.ts';
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

/**
 * Whether an injector cannot be applied because of what is in the object, which is then denied, as by a policy of the API
 * server with its default failurePolicy and by Gatekeeper. With a 500 and `failurePolicy: Ignore`, anybody could switch off all
 * injectors by a value that one expression does not expect.
 */
export function isFaultOfObject(cause: unknown): boolean {
  return cause instanceof PodgraftError && FAULTS_OF_OBJECT.has(cause.code);
}

const FAULTS_OF_OBJECT: ReadonlySet<string> = new Set([
  'EXPRESSION_FAILED',
  'EXPRESSION_INVALID',
  'MUTATION_FAILED',
]);

/** Names the injectors that keep changing the object, and the place: two that disagree, or one that never settles. */
export function unsettled(trace: readonly Step[], lastRound: number): PodgraftError {
  const changes = trace
    .filter((step) => step.round === lastRound)
    .flatMap((step) =>
      step.decision === 'grafted' ? step.patch.map(({ path }) => ({ injector: step.injector, path })) : [],
    );
  for (const [index, one] of changes.entries()) {
    const other = changes
      .slice(index + 1)
      .find((change) => change.injector !== one.injector && overlap(one.path, change.path));
    if (other === undefined) continue;
    const place = placeOf(one.path).length < placeOf(other.path).length ? one.path : other.path;
    return conflict(one.injector, other.injector, placeOf(place));
  }
  const [first] = changes;
  const rival = changes.find((change) => change.injector !== first?.injector);
  if (first && rival) return conflict(first.injector, rival.injector, placeOf(first.path));
  return new PodgraftError(
    'INJECTOR_UNSETTLED',
    `Injector "${first?.injector}" does not settle: it changes "${first?.path}" again on its own result`,
  );
}

function conflict(one: string, other: string, place: string): PodgraftError {
  return new PodgraftError(
    'INJECTORS_CONFLICT',
    `Injectors "${one}" and "${other}" do not agree on "${place}"`,
  );
}

function overlap(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** The list, not the index: an item that comes and goes has a different index each time. */
function placeOf(path: string): string {
  return path.replace(/\/(-|\d+)$/, '');
}
