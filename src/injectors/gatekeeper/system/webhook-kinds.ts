import type { KindRule } from '../../../sdk/index.ts';
import { type Mutator, operationsOf } from '../resource/mutator.ts';
import { matchesKind } from './applies-to.ts';
import type { System } from './system.ts';

/** The kinds and operations that the mutators are for: the webhook configuration is generated from them. */
export function webhookKinds({ mutators }: System): readonly KindRule[] {
  return mutators.flatMap(rulesOf);
}

function rulesOf(mutator: Mutator): readonly KindRule[] {
  const { applyTo, match, operations } = mutator;
  if (applyTo !== undefined) {
    return applyTo.flatMap((entry) =>
      entry.groups.flatMap((group) =>
        entry.kinds
          .filter((kind) => matchesKind(mutator, { group, kind }))
          .map((kind) => ({ group, versions: entry.versions, kind, operations: operationsOf(entry) })),
      ),
    );
  }
  if (match.kinds.length === 0) return [{ group: '*', versions: [], kind: '*', operations }];
  return match.kinds.flatMap((entry) =>
    orAll(entry.apiGroups).flatMap((group) =>
      orAll(entry.kinds).map((kind) => ({ group, versions: [], kind, operations })),
    ),
  );
}

function orAll(names: readonly string[]): readonly string[] {
  return names.length === 0 || names.includes('*') ? ['*'] : names;
}
