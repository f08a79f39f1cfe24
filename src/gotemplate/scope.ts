import type { Func } from './func.ts';
import type { Operand } from './nodes.ts';
import type { State } from './state.ts';
import type { Value } from './values.ts';

export type Eval = (state: State, dot: Value) => Value;

/** The value that a pipeline passes to its next command; undefined for the first command. */
export type Final = { readonly value: Value } | undefined;

export type Call = (state: State, dot: Value, final: Final) => Value;

/** How a node ended. `break` and `continue` propagate to the enclosing range. */
export type Ended = 'done' | 'break' | 'continue';

export type Exec = (state: State, dot: Value) => Ended;

export interface FoundFunction {
  readonly func: Func;
  readonly builtin: boolean;
}

/** The functions and operands that compiled code refers to. */
export interface Scope {
  readonly findFunction: (name: string) => FoundFunction | undefined;
  /** Operands contain pipelines and pipelines operands. Passing this function avoids a circular import. */
  readonly compileOperand: (node: Operand) => Eval;
}
