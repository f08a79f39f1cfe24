import type { Overlay } from '../graft/overlay.ts';
import type { Pod } from '../kube/generated/types.ts';
import type { DeepReadonly } from '../kube/kube-object.ts';
import type { Verdict } from './injector.ts';

/** Graft this onto the object; warnings are shown to the user who sent it. */
export function overlay<T = Pod>(value: NoInfer<Overlay<T>>, warnings: readonly string[] = []): Verdict<T> {
  return warnings.length === 0 ? { overlay: value } : { overlay: value, warnings };
}

/**
 * Make the object this, where the rules are those of a merge of whole objects. Built from the object found by sharing
 * what does not change: what is missing from it is removed.
 */
export function target<T = Pod>(
  object: NoInfer<DeepReadonly<T>>,
  warnings: readonly string[] = [],
): Verdict<T> {
  return warnings.length === 0 ? { target: object } : { target: object, warnings };
}

/** Leave the object alone, and say why. */
export function skip(reason: string, warnings: readonly string[] = []): Verdict<never> {
  return warnings.length === 0 ? { skip: reason } : { skip: reason, warnings };
}

/** Refuse the object. */
export function deny(reason: string): Verdict<never> {
  return { deny: reason };
}
