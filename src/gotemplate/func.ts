import type { Meter } from './meter.ts';
import { Boxed, type Value } from './values.ts';

export type Implementation = (args: Value[], meter: Meter) => Value;

/** A function that templates can call. Arguments are checked against its Go signature. */
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
 * Makes a function from a Go signature and its body: `func('func(string, int) string', ...)`.
 * The body gets checked arguments: an Int for `int`, any value for `interface {}`.
 */
export function func(signature: string, call: (...args: never[]) => Value): Func {
  const spread = call as (...args: Value[]) => Value;
  return new Func(signature, (args) => spread(...args));
}

/** Like `func`, with the meter as first argument: for functions that can do much work for a short argument. */
export function metered(signature: string, call: (meter: Meter, ...args: never[]) => Value): Func {
  const spread = call as (meter: Meter, ...args: Value[]) => Value;
  return new Func(signature, (args, meter) => spread(meter, ...args));
}

interface Signature {
  readonly params: readonly string[];
  readonly variadic: string | undefined;
}

function parseSignature(signature: string): Signature {
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
  throw new Error(`cannot parse signature "${text}": missing closing parenthesis`);
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
