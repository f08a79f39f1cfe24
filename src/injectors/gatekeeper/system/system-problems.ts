import type { ClusterView, ReadProblem } from '../../../sdk/index.ts';
import { readProvider } from '../external-data/read-provider.ts';
import type { Options } from '../options.ts';
import { invalidText } from '../resource/read-mutator.ts';
import { PROVIDER } from '../resource/resources.ts';
import { conflictText } from './schema-conflicts.ts';
import { type System, systemOf } from './system.ts';

/** Problems of mutators and providers, for health, metrics and log. */
export function systemProblems(
  { mutators, providers, cluster: isRead }: Options,
  view: ClusterView,
): readonly (string | ReadProblem)[] {
  const cluster = isRead ? view : undefined;
  const system = systemOf(mutators, cluster);
  return [
    ...system.invalid.map((invalid) => asError(`${invalidText(invalid)}; it is not applied`)),
    ...system.conflicts.map((conflict) => asError(conflictText(conflict))),
    ...system.possibleConflicts.map((conflict) => `${conflictText(conflict)} if all of them were enforced`),
    ...[...providerNames(system)].flatMap((name): readonly (string | ReadProblem)[] => {
      const resource = providers.get(name) ?? cluster?.get(PROVIDER, undefined, name);
      if (resource === undefined) return [`there is no Provider "${name}"`];
      const provider = readProvider(resource);
      return 'problem' in provider ? [asError(provider.problem)] : [];
    }),
  ];
}

function asError(message: string): ReadProblem {
  return { message, severity: 'error' };
}

function providerNames({ mutators }: System): ReadonlySet<string> {
  return new Set(
    mutators.flatMap(({ change }) => (change.type === 'externalData' ? [change.source.provider] : [])),
  );
}
