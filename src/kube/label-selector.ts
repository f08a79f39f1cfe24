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

function value(labels: StringMap, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
