import type { Shape } from '../../graft/shape.ts';
import { type Pointer, parsePointer } from '../../json/pointer.ts';
import { memberOf, type Place, ROOT } from './place.ts';

/** What policies know of a kind. */
export interface Form {
  readonly shape: Shape;
  /** The path of the Pod's spec, for Pods and workloads. */
  readonly podSpec: Pointer | undefined;
}

/** The Pod's spec. */
export function podSpecOf({ podSpec }: Form): Place | undefined {
  return podSpec === undefined ? undefined : parsePointer(podSpec).reduce(memberOf, ROOT);
}
