import type { Checked } from '../check/checked.ts';
import type { Environment } from '../declarations.ts';
import type { Expression } from '../syntax/ast.ts';
import { Failure } from '../values/values.ts';
import type { Frame, Step } from './frame.ts';

/** The compiled form of a part of an expression. Attributes can still be extended by selections. */
export type Plan =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'attribute'; readonly attribute: Attribute };

/** A variable, a value, or a choice of two attributes, and the selections from there. */
export interface Attribute {
  readonly base:
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'local'; readonly index: number }
    | { readonly kind: 'value'; readonly step: Step }
    | {
        readonly kind: 'choice';
        readonly condition: Step;
        readonly truthy: Attribute;
        readonly falsy: Attribute;
      };
  /** Empty for a choice: each side has its own. */
  readonly qualifiers: Qualifier[];
}

/** One selection or index. */
export interface Qualifier {
  readonly optional: boolean;
  /** Whether only the presence is of interest, as in `has()`. */
  readonly presence: boolean;
  /** A constant key, or how to compute one. */
  readonly key: { readonly constant: unknown } | { readonly step: Step };
}

/** The compiler's interface for the rules of single kinds of expressions. */
export interface PlanContext {
  readonly environment: Environment;
  readonly checked: Checked;
  plan(expression: Expression): Plan;
  step(expression: Expression): Step;
  /** Compiles with additional variables. Their values are in the frame's locals, by the indexes given. */
  scoped<T>(names: readonly string[], run: (...indexes: readonly number[]) => T): T;
}

export function constant(value: unknown): Plan {
  return { kind: 'constant', value };
}

export function stepPlan(step: Step): Plan {
  return { kind: 'step', step };
}

export const CANCELLED = new Failure('operation cancelled: actual cost limit exceeded');

export function isExhausted(frame: Frame): boolean {
  return frame.cost > frame.limit;
}
