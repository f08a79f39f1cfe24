import { type MutatedOperation, type Mutator, operationsOf } from '../resource/mutator.ts';

export interface ObjectKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Whether a mutator is for a kind and an operation: `applyTo` and `match.kinds`. */
export function appliesTo(mutator: Mutator, kind: ObjectKind, operation: MutatedOperation): boolean {
  return matchesKind(mutator, kind) && isForOperation(mutator, kind, operation);
}

/** An entry without groups or kinds matches all of them, like `*`. Versions do not count. */
export function matchesKind({ match }: Mutator, { group, kind }: Omit<ObjectKind, 'version'>): boolean {
  if (match.kinds.length === 0) return true;
  return match.kinds.some((entry) => includes(entry.kinds, kind) && includes(entry.apiGroups, group));
}

function includes(wanted: readonly string[], name: string): boolean {
  return wanted.length === 0 || wanted.includes('*') || wanted.includes(name);
}

/** Kind and operation must be in the same entry. */
function isForOperation(
  mutator: Mutator,
  { group, version, kind }: ObjectKind,
  operation: MutatedOperation,
): boolean {
  if (mutator.applyTo === undefined) return mutator.operations.includes(operation);
  return mutator.applyTo.some(
    (entry) =>
      entry.groups.includes(group) &&
      entry.versions.includes(version) &&
      entry.kinds.includes(kind) &&
      operationsOf(entry).includes(operation),
  );
}
