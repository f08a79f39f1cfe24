/** The state of one evaluation. */
export interface Frame {
  /** Values of the declared variables. */
  readonly bindings: Bindings;
  /** Values of the variables of macros, by the index that compilation gave them. */
  readonly locals: unknown[];
  /** Units spent so far. */
  cost: number;
  /** Units that may be spent. Loops end when they are spent; the evaluation fails at its end at the latest. */
  readonly limit: number;
}

/** Values by name. Undefined, and names left out, are not bound. */
export type Bindings = Readonly<Record<string, unknown>>;

/** A compiled part of an expression: returns a value, or a Failure. */
export type Step = (frame: Frame) => unknown;
