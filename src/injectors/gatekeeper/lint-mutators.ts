import type { KubeObject } from '../../sdk/index.ts';
import type { Mutator } from './resource/mutator.ts';
import { invalidText, isMutatorKind, readMutator } from './resource/read-mutator.ts';
import { MUTATIONS_GROUP } from './resource/resources.ts';
import type { ApplyTo } from './resource/spec-schema.ts';
import { matchesKind } from './system/applies-to.ts';
import { conflictText } from './system/schema-conflicts.ts';
import { createSystem } from './system/system.ts';

export interface MutatorFinding {
  readonly rule: 'invalid' | 'empty-match' | 'never-applies' | 'conflict';
  /** `Kind/name` of the mutators. */
  readonly mutators: readonly string[];
  readonly message: string;
}

/** Mistakes in mutation resources that are visible without a request. Other objects are ignored. */
export function lintMutators(objects: readonly KubeObject[]): readonly MutatorFinding[] {
  const resources = objects.filter(
    ({ apiVersion, kind }) => apiVersion.startsWith(`${MUTATIONS_GROUP}/`) && isMutatorKind(kind),
  );
  const { mutators, invalid, conflicts, possibleConflicts } = createSystem(resources.map(readMutator));
  return [
    ...invalid.map((each): MutatorFinding => {
      const [kind, name] = each.title.split(' ');
      return { rule: 'invalid', mutators: [`${kind}/${name?.slice(1, -1)}`], message: invalidText(each) };
    }),
    ...mutators.flatMap((mutator) => {
      const reason = neverApplies(mutator);
      if (reason !== undefined) return [finding('never-applies', mutator, `never applies: ${reason}`)];
      return isForEverything(mutator)
        ? [
            finding(
              'empty-match',
              mutator,
              'has no match, so it applies to every object, also in kube-system',
            ),
          ]
        : [];
    }),
    ...[...conflicts, ...possibleConflicts].map((conflict) => ({
      rule: 'conflict' as const,
      mutators: conflict.mutators.map(nameOf),
      message: conflictText(conflict),
    })),
  ];
}

function finding(rule: MutatorFinding['rule'], mutator: Mutator, message: string): MutatorFinding {
  return { rule, mutators: [nameOf(mutator)], message: `${mutator.title} ${message}` };
}

function nameOf({ kind, name }: Mutator): string {
  return `${kind}/${name}`;
}

/** An AssignMetadata without `match` is for every kind. The others name their kinds, but perhaps nothing else. */
function isForEverything({ match, applyTo }: Mutator): boolean {
  const isOpen =
    match.namespaces.length === 0 &&
    match.excludedNamespaces.length === 0 &&
    match.labelSelector === undefined &&
    match.namespaceSelector === undefined &&
    match.name === '' &&
    match.scope !== 'Cluster' &&
    match.scope !== 'Namespaced';
  return isOpen && (applyTo !== undefined || match.kinds.length === 0);
}

function neverApplies(mutator: Mutator): string | undefined {
  const { match, applyTo } = mutator;
  if (match.source === 'Generated')
    return 'match.source is Generated, and admission sees original objects only';
  const excluded = match.namespaces.filter((name) => match.excludedNamespaces.includes(name));
  if (match.namespaces.length > 0 && excluded.length === match.namespaces.length) {
    return 'match.excludedNamespaces excludes all of match.namespaces';
  }
  const kinds = (applyTo ?? []).flatMap(({ groups, kinds }) =>
    groups.flatMap((group) => kinds.map((kind) => ({ group, kind }))),
  );
  if (applyTo !== undefined && !kinds.some((kind) => matchesKind(mutator, kind))) {
    return 'match.kinds has none of the kinds in applyTo';
  }
  return applyTo === undefined ? undefined : wildcardProblem(applyTo);
}

/** Unlike those of `match`, the lists of `applyTo` are compared literally. */
function wildcardProblem(applyTo: readonly ApplyTo[]): string | undefined {
  const isLiteral = applyTo.some(
    ({ groups, versions, kinds }) => ![...groups, ...versions, ...kinds].includes('*'),
  );
  return isLiteral
    ? undefined
    : 'applyTo has no wildcards: "*" is not the name of a group, a version or a kind';
}
