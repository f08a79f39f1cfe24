import type { Overlay } from '../graft/overlay.ts';
import type { Pod } from '../kube/generated/types.ts';
import type { DeepReadonly } from '../kube/kube-object.ts';
import type { Verdict } from './injector.ts';

/** Grafts an overlay onto the object. Warnings are shown to the user who sent it. */
export function overlay<T = Pod>(value: NoInfer<Overlay<T>>, warnings: readonly string[] = []): Verdict<T> {
  return warnings.length === 0 ? { overlay: value } : { overlay: value, warnings };
}

/**
 * Turns the object into this one: for injectors that merge whole objects by their own rules. Fields that are missing here
 * are removed. Share the unchanged parts of the object, since they are not compared.
 */
export function target<T = Pod>(
  object: NoInfer<DeepReadonly<T>>,
  warnings: readonly string[] = [],
): Verdict<T> {
  return warnings.length === 0 ? { target: object } : { target: object, warnings };
}

/** Leaves the object unchanged. The reason appears in the trace. */
export function skip(reason: string, warnings: readonly string[] = []): Verdict<never> {
  return warnings.length === 0 ? { skip: reason } : { skip: reason, warnings };
}

/** Rejects the object. */
export function deny(reason: string): Verdict<never> {
  return { deny: reason };
}

/**
 * Rejects an object to which the injector cannot be applied, as a policy of the API server with its default failurePolicy and
 * Gatekeeper do; with `onError: skip`, the injector is skipped instead. After an exception and with `failurePolicy: Ignore`, anybody
 * could switch off all injectors by a value that one expression does not expect.
 */
export function fault(error: Error): Verdict<never> {
  return { deny: error.message, fault: error };
}
