import { type LocationNode, sameNode } from '../location/location.ts';
import type { Condition } from '../location/path-tests.ts';
import type { Mutator } from '../resource/mutator.ts';

/** The changes of mutators to a value, in order. Locations with a common prefix share its steps. */
export type Route = readonly Action[];

export type Action =
  /** The location ends here. */
  | { readonly type: 'set'; readonly mutator: Mutator }
  /** Fields with different names: their order does not matter. */
  | { readonly type: 'fields'; readonly steps: Step<FieldNode>[] }
  | { readonly type: 'elements'; readonly step: Step<ListNode> };

/** One step of the locations of one or more mutators. */
export interface Step<Node extends LocationNode = LocationNode> {
  readonly node: Node;
  /** The index of the node in the location. */
  readonly depth: number;
  /** The first one that takes the step: errors name it. */
  readonly mutator: Mutator;
  /** Its path test for the place where the step leads to. */
  readonly test: Condition | undefined;
  /** The changes at the place where the step leads. */
  readonly route: Action[];
}

type FieldNode = Extract<LocationNode, { type: 'field' }>;
type ListNode = Exclude<LocationNode, FieldNode>;

export function routeOf(mutators: readonly Mutator[]): Route {
  const route: Action[] = [];
  for (const mutator of mutators) extend(route, mutator, 0);
  return route;
}

function extend(route: Action[], mutator: Mutator, depth: number): void {
  const node = mutator.location.nodes[depth];
  if (node === undefined) {
    route.push({ type: 'set', mutator });
    return;
  }
  const test = mutator.pathTests[depth];
  // A step with a path test is not shared: mutators before it can change what the test finds.
  const isShareable = (step: Step) => step.test === undefined && test === undefined;
  const step = node.type === 'field' ? fieldStep(route, node) : listStep(route, node);
  extend(step.route, mutator, depth + 1);

  function fieldStep(route: Action[], node: FieldNode): Step {
    const last = route.at(-1);
    const steps = last?.type === 'fields' ? last.steps : [];
    const same = steps.find((step) => step.node.name === node.name);
    if (same !== undefined && isShareable(same)) return same;
    const step = { node, depth, mutator, test, route: [] };
    if (last?.type === 'fields' && same === undefined) steps.push(step);
    else route.push({ type: 'fields', steps: [step] });
    return step;
  }

  /** An element that is set as a whole shares nothing: of several with the key, only the first one is replaced. */
  function listStep(route: Action[], node: ListNode): Step {
    const last = route.at(-1);
    const isShared = last?.type === 'elements' && sameNode(node, last.step.node) && isShareable(last.step);
    if (isShared && !setsElement(last.step) && depth < mutator.location.nodes.length - 1) return last.step;
    const step = { node, depth, mutator, test, route: [] };
    route.push({ type: 'elements', step });
    return step;
  }
}

/** Whether the location ends with a list element. */
export function setsElement({ depth, mutator }: Step): boolean {
  return depth === mutator.location.nodes.length - 1;
}
