import {
  annotationsOf,
  type DeepReadonly,
  type LabelSelector,
  labelsOf,
  matchesSelector,
  type Pod,
} from '../../../sdk/index.ts';
import type { Configuration } from '../config/configuration.ts';
import { INJECT, SYSTEM_NAMESPACES } from '../names.ts';

export interface InjectionDecision {
  /** Why the Pod is not injected; absent if it is. */
  readonly reason?: string;
  readonly warnings: readonly string[];
}

/** Host network and system namespaces are never injected. Then the Pod's own label or annotation counts, the selectors, the policy. */
export function decideInjection(
  pod: DeepReadonly<Pod>,
  namespace: string,
  rules: Pick<Configuration, 'policy' | 'neverInjectSelector' | 'alwaysInjectSelector'>,
): InjectionDecision {
  const { policy } = rules;
  if (pod.spec?.hostNetwork === true) return skipped('the Pod uses the host network');
  if (SYSTEM_NAMESPACES.some((name) => name === namespace))
    return skipped(`namespace "${namespace}" is never injected`);
  if (policy !== 'enabled' && policy !== 'disabled')
    return skipped(`the policy is "${policy}", expected "enabled" or "disabled"`);

  const labels = labelsOf(pod);
  const hasLabel = Object.hasOwn(labels, INJECT);
  const place = `${hasLabel ? 'label' : 'annotation'} "${INJECT}"`;
  const choice = (hasLabel ? labels[INJECT] : annotationsOf(pod)[INJECT]) ?? '';
  if (choice === 'true') return { warnings: [] };
  if (choice === 'false') return skipped(`${place} is "false"`);
  const warnings =
    choice === '' ? [] : [`${place} is "${choice}", expected "true" or "false": the policy decides`];

  const matching = (selectors: readonly LabelSelector[]) =>
    selectors.find((selector) => !isEmpty(selector) && matchesSelector(selector, labels));
  const never = matching(rules.neverInjectSelector);
  if (never !== undefined) return skipped(`neverInjectSelector ${JSON.stringify(never)} matches`, warnings);
  if (policy === 'enabled' || matching(rules.alwaysInjectSelector) !== undefined) return { warnings };
  return skipped('the policy is disabled and the Pod does not request injection', warnings);
}

function skipped(reason: string, warnings: readonly string[] = []): InjectionDecision {
  return { reason, warnings };
}

function isEmpty({ matchLabels, matchExpressions }: LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}
