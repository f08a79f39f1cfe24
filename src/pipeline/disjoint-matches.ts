import { equalTo, isSatisfiable, negated, type Requirement, requirementsOf } from '../kube/label-selector.ts';
import { matchesNamePattern, patternsOverlap } from '../kube/name-pattern.ts';
import type { ResolvedMatch } from './resolve-match.ts';

/** Whether no request can match both, whatever their kinds and conditions. */
export function areDisjoint(one: ResolvedMatch, other: ResolvedMatch): boolean {
  const both = [one, other];
  return (
    operationsDiffer(one, other) ||
    patternsDiffer('namespaces', one, other) ||
    patternsDiffer('names', one, other) ||
    patternsDiffer('users', one, other) ||
    both.some(({ groups }) => groups?.every((group) => isExcluded('groups', group, both))) ||
    !isSatisfiable(both.flatMap(({ namespaceSelector = {} }) => requirementsOf(namespaceSelector))) ||
    labelsExclude(both) ||
    !isSatisfiable(both.flatMap(annotationRequirements))
  );
}

type Matches = readonly ResolvedMatch[];

function operationsDiffer({ operations: one }: ResolvedMatch, { operations: other }: ResolvedMatch): boolean {
  if (one.includes('*') || other.includes('*')) return false;
  return !one.some((operation) => other.includes(operation));
}

type PatternField = 'namespaces' | 'names' | 'users';

function patternsDiffer(field: PatternField, one: ResolvedMatch, other: ResolvedMatch): boolean {
  const [left = [], right = []] = [one, other].map((match) =>
    (match[field] ?? ['*']).filter((pattern) => !isExcluded(field, pattern, [one, other])),
  );
  return !left.some((pattern) => right.some((rival) => patternsOverlap(pattern, rival)));
}

/** Whether everything that matches the pattern is excluded. */
function isExcluded(field: PatternField | 'groups', pattern: string, matches: Matches): boolean {
  // No pattern names a `*`, so one that matches it here as a character matches any text in its place.
  return matches.some(({ exclude }) => exclude?.[field]?.some((each) => matchesNamePattern(each, pattern)));
}

function labelsExclude(matches: Matches): boolean {
  const required = matches.flatMap(({ objectSelector = {} }) => requirementsOf(objectSelector));
  if (!isSatisfiable(required)) return true;
  return matches.some(({ exclude }) => {
    if (exclude?.objectSelector === undefined) return false;
    // All labels that are left match this selector, too.
    return requirementsOf(exclude.objectSelector).every(
      (requirement) => !isSatisfiable([...required, negated(requirement)]),
    );
  });
}

function annotationRequirements({ annotations, hasAnnotations = [], exclude }: ResolvedMatch): Requirement[] {
  return [
    ...equalTo(annotations),
    ...hasAnnotations.map((key) => ({ key, operator: 'Exists' })),
    ...(exclude?.hasAnnotations ?? []).map((key) => ({ key, operator: 'DoesNotExist' })),
  ];
}
