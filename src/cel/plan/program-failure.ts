/** A constant part of an expression that fails whenever it is evaluated, found while compiling. */
export class ProgramFailure extends Error {}
