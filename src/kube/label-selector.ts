import type { LabelSelector } from './generated/types.ts';
import type { DeepReadonly, StringMap } from './kube-object.ts';

export type { LabelSelector };

/** `metav1.LabelSelector` semantics: an empty selector matches everything; all requirements must hold. */
export function matchesSelector(selector: DeepReadonly<LabelSelector>, labels: StringMap): boolean {
  for (const key in selector.matchLabels) {
    if (value(labels, key) !== selector.matchLabels[key]) return false;
  }
  return (selector.matchExpressions ?? []).every((requirement) => {
    const found = value(labels, requirement.key);
    switch (requirement.operator) {
      case 'In':
        return found !== undefined && (requirement.values ?? []).includes(found);
      case 'NotIn':
        // Kubernetes counts an absent label as a match.
        return found === undefined || !(requirement.values ?? []).includes(found);
      case 'Exists':
        return found !== undefined;
      case 'DoesNotExist':
        return found === undefined;
      default:
        return false;
    }
  });
}

export type Requirement = NonNullable<DeepReadonly<LabelSelector>['matchExpressions']>[number];

/** Whether labels can meet all requirements. */
export function isSatisfiable(requirements: readonly Requirement[]): boolean {
  return requirements.every(({ key }) => {
    const matchExpressions = requirements.filter((each) => each.key === key);
    const named = matchExpressions.flatMap(({ values = [] }) => values);
    // Longer than each value that is named.
    const unnamed = `${named.join('')}-`;
    const candidates: StringMap[] = [{}, ...[...named, unnamed].map((value) => ({ [key]: value }))];
    return candidates.some((labels) => matchesSelector({ matchExpressions }, labels));
  });
}

export function requirementsOf({
  matchLabels,
  matchExpressions = [],
}: DeepReadonly<LabelSelector>): Requirement[] {
  return [...equalTo(matchLabels), ...matchExpressions];
}

export function equalTo(labels: StringMap = {}): Requirement[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
}

/** The requirement that exactly those labels meet which do not meet this one. */
export function negated({ operator, ...rest }: Requirement): Requirement {
  return { ...rest, operator: OPPOSITES[operator] ?? operator };
}

const OPPOSITES: { readonly [operator: string]: string } = {
  In: 'NotIn',
  NotIn: 'In',
  Exists: 'DoesNotExist',
  DoesNotExist: 'Exists',
};

function value(labels: StringMap, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
