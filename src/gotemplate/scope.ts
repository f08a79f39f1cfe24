import type { Func } from './func.ts';
import type { Operand } from './nodes.ts';
import type { State } from './state.ts';
import type { Value } from './values.ts';

export type Eval = (state: State, dot: Value) => Value;

/** The value that a pipeline passes on to its next command; undefined for the first command. */
export type Final = { readonly value: Value } | undefined;

export type Call = (state: State, dot: Value, final: Final) => Value;

/** How a node ended: a jump travels up to the range around it. */
export type Ended = 'done' | 'break' | 'continue';

export type Exec = (state: State, dot: Value) => Ended;

export interface FoundFunction {
  readonly func: Func;
  readonly builtin: boolean;
}

/** What compiling needs to know of its surroundings. */
export interface Scope {
  readonly findFunction: (name: string) => FoundFunction | undefined;
  /** Operands hold pipelines and pipelines operands; passing one of the two on keeps the files in one direction. */
  readonly compileOperand: (node: Operand) => Eval;
}
