import { CelError } from './cel-error.ts';
import { CelCompileError } from './compile-error.ts';
import type { Bindings } from './plan/frame.ts';
import type { Budget, Program } from './program.ts';
import { Failure, Special } from './values/values.ts';

/** A variable is a program or its compile error, which appears where the variable is used. */
export type VariablePrograms = ReadonlyMap<string, Program | CelCompileError>;

/** The bindings with `variables`. */
export function bindingsWith(programs: VariablePrograms, bindings: Bindings, budget?: Budget): Bindings {
  const all: { variables?: LazyVariables } & Bindings = { ...bindings };
  return Object.assign(all, { variables: new LazyVariables(programs, all, budget) });
}

/**
 * The value of `variables`: evaluates each variable when it is first used, and once. Make one for each batch of
 * expressions that share the results. The cost of variables is taken from the budget, not from the expression that uses them.
 */
export class LazyVariables extends Special {
  readonly typeName = 'kubernetes.variables';
  private readonly programs: VariablePrograms;
  private readonly bindings: Bindings;
  private readonly budget: Budget | undefined;
  private readonly values = new Map<string, unknown>();

  /** The bindings are those of the expressions. They are read when a variable is used, and may by then have these variables. */
  constructor(programs: VariablePrograms, bindings: Bindings, budget?: Budget) {
    super();
    this.programs = programs;
    this.bindings = bindings;
    this.budget = budget;
  }

  override find(name: unknown): unknown {
    const program = typeof name === 'string' ? this.programs.get(name) : undefined;
    if (program === undefined || typeof name !== 'string') return undefined;
    if (this.values.has(name)) return this.values.get(name);
    const value = this.evaluate(name, program);
    this.values.set(name, value);
    return value;
  }

  override equals(other: unknown): boolean {
    return other === this;
  }

  private evaluate(name: string, program: Program | CelCompileError): unknown {
    if (program instanceof CelCompileError) {
      return new Failure(`composited variable "${name}" fails to compile: ${program.message}`);
    }
    try {
      return program.evaluate(this.bindings, this.budget);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return new Failure(`composited variable "${name}" fails to evaluate: ${error.message}`);
    }
  }
}
