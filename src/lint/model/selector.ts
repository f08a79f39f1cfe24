import type { Json } from '../../json/json.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import type { StringMap } from '../../kube/kube-object.ts';
import { stringsOf, textOf } from './text.ts';

/** A label selector as requirements that must all hold. */
export type Selector = readonly Requirement[];

export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

export function readSelector(selector: Json | undefined): Selector {
  const { matchLabels, matchExpressions } = membersOf(selector);
  return [
    ...Object.entries(membersOf(matchLabels)).map(([key, value]) => ({
      key,
      operator: 'In',
      values: [textOf(value)],
    })),
    ...itemsOf(matchExpressions).map((item) => {
      const { key, operator, values } = membersOf(item);
      return { key: textOf(key), operator: textOf(operator), values: stringsOf(values) };
    }),
  ];
}

export function selects(selector: Selector, labels: StringMap): boolean {
  return selector.every((requirement) => isMet(requirement, labels));
}

function isMet({ key, operator, values }: Requirement, labels: StringMap): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  if (operator === 'Exists') return value !== undefined;
  if (operator === 'DoesNotExist') return value === undefined;
  const isListed = value !== undefined && values.includes(value);
  return operator === 'NotIn' ? !isListed : isListed;
}

/** Whether some labels meet all requirements: those of several selectors may contradict each other. */
export function isSatisfiable(selector: Selector): boolean {
  const keys = new Set(selector.map(({ key }) => key));
  return [...keys].every((key) => {
    const own = selector.filter((requirement) => requirement.key === key);
    const listed = own.flatMap(({ values }) => values);
    // One unlisted value stands for all others.
    const candidates = [undefined, ...new Set(listed), `${listed.join()}other`];
    return candidates.some((value) => selects(own, value === undefined ? {} : { [key]: value }));
  });
}

/** Whether objects without any label are left out: authors opt in. */
export function needsLabel(selector: Selector): boolean {
  return !selects(selector, {});
}
