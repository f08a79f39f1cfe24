import type { Meter } from './meter.ts';
import { Boxed, type Value } from './values.ts';

export type Implementation = (args: Value[], meter: Meter) => Value;

/** A function that a template can call. Its Go signature decides what arguments it takes, as in Go. */
export class Func extends Boxed {
  declare readonly params: readonly string[];
  /** The element type of the final `...` parameter, which is not in `params`. */
  declare readonly variadic: string | undefined;
  declare readonly call: Implementation;
  constructor(signature: string, call: Implementation) {
    super('func', signature);
    const { params, variadic } = parseSignature(signature);
    this.params = params;
    this.variadic = variadic;
    this.call = call;
  }
}

export type FunctionMap = Readonly<Record<string, Func>>;

/**
 * Binds an implementation to a signature in Go's words: `func('func(string, int) string', ...)`.
 * Arguments arrive checked: an `int` is an Int, an `interface {}` anything.
 */
export function func(signature: string, call: (...args: never[]) => Value): Func {
  const spread = call as (...args: Value[]) => Value;
  return new Func(signature, (args) => spread(...args));
}

/** As `func`, for functions that can do much work for a short argument and so need the meter. */
export function metered(signature: string, call: (meter: Meter, ...args: never[]) => Value): Func {
  const spread = call as (meter: Meter, ...args: Value[]) => Value;
  return new Func(signature, (args, meter) => spread(meter, ...args));
}

interface Signature {
  readonly params: readonly string[];
  readonly variadic: string | undefined;
}

// Binding a method to its receiver makes a Func each time; there are only as many signatures as the host writes down.
const signatures = new Map<string, Signature>();

function parseSignature(signature: string): Signature {
  const known = signatures.get(signature) ?? readSignature(signature);
  signatures.set(signature, known);
  return known;
}

function readSignature(signature: string): Signature {
  const close = matchingParen(signature, 'func'.length);
  const params = splitParams(signature.slice('func('.length, close));
  const last = params.at(-1);
  if (last === undefined || !last.startsWith('...')) return { params, variadic: undefined };
  return { params: params.slice(0, -1), variadic: last.slice(3) };
}

function matchingParen(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return i;
  }
  throw new Error(`Cannot read signature "${text}": no closing parenthesis`);
}

function splitParams(list: string): string[] {
  const params: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === '(') depth++;
    if (list[i] === ')') depth--;
    if ((list[i] === ',' && depth === 0) || i === list.length) {
      const param = list.slice(start, i).trim();
      if (param !== '') params.push(param);
      start = i + 1;
    }
  }
  return params;
}
