import { quote } from '../golang/strconv.ts';
import type { Budget, Meter } from './meter.ts';
import { type AnyNode, nodeText } from './nodes.ts';
import { placeAt, TemplateError } from './template-error.ts';
import type { Value } from './values.ts';

/** The state of one execution. */
export interface State {
  readonly source: { readonly name: string; readonly text: string };
  readonly meter: Meter;
  readonly budget: Budget;
  out: string;
  /** The node being evaluated, set when Go sets it, so that errors report the same place. */
  node: AnyNode;
  /** The name of the running template. */
  running: string;
  depth: number;
  /** Variables in scope, innermost last. */
  variables: Variable[];
  /** Whether dot is an element of a slice or map of interfaces. Errors then show the type "interface {}". */
  dotIsInterface: boolean;
}

export interface Variable {
  readonly name: string;
  value: Value;
  isInterface: boolean;
}

export function fail(state: State, reason: string, cause?: unknown): never {
  const place = placeAt(state.source, state.node.pos, nodeText(state.node));
  const at = `${place.template}:${place.line}:${place.column}`;
  const message = `template: ${at}: executing ${quote(state.running)} at <${place.action}>: ${reason}`;
  throw new TemplateError('execute', place, message, reason, cause);
}

export function variable(state: State, name: string): Variable {
  const { variables } = state;
  for (let i = variables.length - 1; i >= 0; i--) {
    const candidate = variables[i];
    if (candidate !== undefined && candidate.name === name) return candidate;
  }
  return fail(state, `undefined variable: ${name}`);
}

/** Ends the scope of variables that were declared since there were `count`. Most scopes declare none, and setting the length is slow. */
export function dropVariables({ variables }: State, count: number): void {
  if (variables.length > count) variables.length = count;
}

export function write(state: State, text: string): void {
  state.out += text;
  if (state.out.length > state.budget.output) {
    fail(state, `exceeded the output budget of ${state.budget.output} characters`);
  }
}
