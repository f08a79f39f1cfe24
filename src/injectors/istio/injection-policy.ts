import type { Pod } from '../../kube/generated/types.ts';
import { annotationsOf, type DeepReadonly, labelsOf } from '../../kube/kube-object.ts';
import { type LabelSelector, matchesSelector } from '../../kube/label-selector.ts';
import { INJECT, SYSTEM_NAMESPACES } from './names.ts';

export interface InjectionRules {
  readonly policy: string;
  readonly neverInjectSelector: readonly DeepReadonly<LabelSelector>[];
  readonly alwaysInjectSelector: readonly DeepReadonly<LabelSelector>[];
}

export interface InjectionDecision {
  /** Why the Pod is left alone; absent when it is injected. */
  readonly reason?: string;
  readonly warnings: readonly string[];
}

/** Who is injected: host network and system namespaces never, then the Pod's own word, the selectors, the policy. */
export function decideInjection(
  pod: DeepReadonly<Pod>,
  namespace: string,
  rules: InjectionRules,
): InjectionDecision {
  if (pod.spec?.hostNetwork === true) return no('the Pod uses the host network');
  if (SYSTEM_NAMESPACES.some((name) => name === namespace))
    return no(`namespace "${namespace}" is never injected`);
  const { policy } = rules;
  if (policy !== 'enabled' && policy !== 'disabled')
    return no(`the policy is "${policy}", neither enabled nor disabled`);

  const labels = labelsOf(pod);
  const label = Object.hasOwn(labels, INJECT);
  const place = `${label ? 'label' : 'annotation'} "${INJECT}"`;
  const word = (label ? labels[INJECT] : annotationsOf(pod)[INJECT]) ?? '';
  if (word === 'true') return YES;
  if (word === 'false') return no(`${place} is "false"`);
  const warnings =
    word === '' ? [] : [`${place} is "${word}", neither "true" nor "false": the policy decides`];

  const hit = (selectors: InjectionRules['neverInjectSelector']) =>
    selectors.find((selector) => !isEmpty(selector) && matchesSelector(selector, labels));
  const never = hit(rules.neverInjectSelector);
  if (never !== undefined) return no(`neverInjectSelector ${JSON.stringify(never)} matches`, warnings);
  if (hit(rules.alwaysInjectSelector) !== undefined || policy === 'enabled') return { warnings };
  return no('the policy is disabled and the Pod does not ask for injection', warnings);
}

const YES: InjectionDecision = { warnings: [] };

function no(reason: string, warnings: readonly string[] = []): InjectionDecision {
  return { reason, warnings };
}

function isEmpty({ matchLabels, matchExpressions }: DeepReadonly<LabelSelector>): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}
