import { overlayConflict } from '../graft/overlay-conflict.ts';
import type { JsonObject } from '../json/json.ts';
import type { DeepReadonly, StringMap } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ResolvedMatch } from './resolve-match.ts';

/** What is known of an injector from its configuration: which objects it is for, and the overlay for each of them. */
export interface Claim {
  readonly name: string;
  readonly match: ResolvedMatch;
  readonly overlay: JsonObject;
}

/** Throws if two injectors can never agree on a place of an object that both are for. */
export function checkConflicts(claims: readonly Claim[]): void {
  for (const [index, one] of claims.entries()) {
    for (const other of claims.slice(index + 1)) {
      if (areDisjoint(one.match, other.match)) continue;
      const path = overlayConflict(one.overlay, other.overlay);
      if (path === undefined) continue;
      throw new PodgraftError(
        'INJECTORS_CONFLICT',
        `Injectors "${one.name}" and "${other.name}" set "${path}" to different values`,
      );
    }
  }
}

/** Whether no object can match both; false if unknown. */
function areDisjoint(one: ResolvedMatch, other: ResolvedMatch): boolean {
  return (
    !overlap(one.kinds.map(kindName), other.kinds.map(kindName)) ||
    !overlap(one.operations, other.operations) ||
    namespacesDiffer(one.namespaces, other.namespaces) ||
    selectorsExclude(one.namespaceSelector, other.namespaceSelector) ||
    selectorsExclude(one.objectSelector, other.objectSelector) ||
    labelsDiffer(one.annotations, other.annotations)
  );
}

function kindName(kind: ResolvedMatch['kinds'][number]): string {
  return kind === '*' ? kind : `${kind.kind}.${kind.group}`;
}

function overlap(one: readonly string[], other: readonly string[]): boolean {
  return one.includes('*') || other.includes('*') || one.some((name) => other.includes(name));
}

function namespacesDiffer(one?: readonly string[], other?: readonly string[]): boolean {
  if (one === undefined || other === undefined) return false;
  return ![...one, ...other].some((name) => name.includes('*')) && !one.some((name) => other.includes(name));
}

type Selector = DeepReadonly<LabelSelector>;

function selectorsExclude(one?: Selector, other?: Selector): boolean {
  return (
    labelsDiffer(one?.matchLabels, other?.matchLabels) ||
    expressionsExclude(one, other) ||
    expressionsExclude(other, one)
  );
}

/** Whether an expression of one selector rules out a label that the other requires. */
function expressionsExclude(one?: Selector, other?: Selector): boolean {
  const required = other?.matchLabels ?? {};
  return (one?.matchExpressions ?? []).some(({ key, operator, values = [] }) => {
    const value = Object.hasOwn(required, key) ? required[key] : undefined;
    if (value === undefined) return false;
    if (operator === 'DoesNotExist') return true;
    return operator === 'In' ? !values.includes(value) : operator === 'NotIn' && values.includes(value);
  });
}

function labelsDiffer(one: StringMap = {}, other: StringMap = {}): boolean {
  return Object.keys(one).some((key) => Object.hasOwn(other, key) && one[key] !== other[key]);
}
