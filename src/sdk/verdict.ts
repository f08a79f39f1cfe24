import type { Overlay } from '../graft/overlay.ts';
import type { Pod } from '../kube/generated/types.ts';
import type { Verdict } from './injector.ts';

/** Graft this onto the object; warnings are shown to the user who sent it. */
export function overlay<T = Pod>(value: NoInfer<Overlay<T>>, warnings: readonly string[] = []): Verdict<T> {
  return warnings.length === 0 ? { overlay: value } : { overlay: value, warnings };
}

/** Leave the object alone, and say why. */
export function skip(reason: string, warnings: readonly string[] = []): Verdict<never> {
  return warnings.length === 0 ? { skip: reason } : { skip: reason, warnings };
}

/** Refuse the object. */
export function deny(reason: string): Verdict<never> {
  return { deny: reason };
}
