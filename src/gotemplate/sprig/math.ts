import { type FunctionMap, func, metered } from '../func.ts';
import { printOne } from '../print.ts';
import type { Int, Value } from '../values.ts';
import { toBigInt, toFloat, wrapInt } from './cast.ts';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  fromFloat,
  multiplyDecimals,
  negate,
  toNumber,
} from './decimal.ts';

/** Sprig's arithmetic: on int64, or on decimals for names that end in f. */
export const MATH: FunctionMap = {
  int: func('func(interface {}) int', (value: Value) => wrapInt(toBigInt(value), 'int')),
  int64: func('func(interface {}) int64', (value: Value) => wrapInt(toBigInt(value))),
  float64: func('func(interface {}) float64', toFloat),
  atoi: func('func(string) int', (text: string) => wrapInt(decimal(text, 10), 'int')),
  toDecimal: metered('func(interface {}) int64', (meter, value: Value) =>
    wrapInt(decimal(printOne(value, meter), 8)),
  ),
  add: func('func(...interface {}) int64', (...args: Value[]) =>
    wrapInt(args.reduce((sum, arg) => sum + toBigInt(arg), 0n)),
  ),
  add1: func('func(interface {}) int64', (value: Value) => wrapInt(toBigInt(value) + 1n)),
  sub: func('func(interface {}, interface {}) int64', (a: Value, b: Value) =>
    wrapInt(toBigInt(a) - toBigInt(b)),
  ),
  mul: func('func(interface {}, ...interface {}) int64', (a: Value, ...rest: Value[]) =>
    wrapInt(rest.reduce((product: bigint, arg) => product * toBigInt(arg), toBigInt(a))),
  ),
  div: func('func(interface {}, interface {}) int64', (a: Value, b: Value) =>
    wrapInt(toBigInt(a) / divisor(b)),
  ),
  mod: func('func(interface {}, interface {}) int64', (a: Value, b: Value) =>
    wrapInt(toBigInt(a) % divisor(b)),
  ),
  max: func('func(interface {}, ...interface {}) int64', (...args: Value[]) =>
    best(args, (next, most) => next > most),
  ),
  biggest: func('func(interface {}, ...interface {}) int64', (...args: Value[]) =>
    best(args, (next, most) => next > most),
  ),
  min: func('func(interface {}, ...interface {}) int64', (...args: Value[]) =>
    best(args, (next, least) => next < least),
  ),
  maxf: func('func(interface {}, ...interface {}) float64', (...args: Value[]) =>
    Math.max(...args.map(toFloat)),
  ),
  minf: func('func(interface {}, ...interface {}) float64', (...args: Value[]) =>
    Math.min(...args.map(toFloat)),
  ),
  ceil: func('func(interface {}) float64', (value: Value) => Math.ceil(toFloat(value))),
  floor: func('func(interface {}) float64', (value: Value) => Math.floor(toFloat(value))),
  round: func('func(interface {}, int, ...float64) float64', round),
  add1f: func('func(interface {}) float64', (value: Value) => fold(value, [1], addDecimals)),
  addf: func('func(...interface {}) float64', (...args: Value[]) => fold(0, args, addDecimals)),
  subf: func('func(interface {}, ...interface {}) float64', (a: Value, ...rest: Value[]) =>
    fold(a, rest, (x, y) => addDecimals(x, negate(y))),
  ),
  mulf: func('func(interface {}, ...interface {}) float64', (a: Value, ...rest: Value[]) =>
    fold(a, rest, multiplyDecimals),
  ),
  divf: func('func(interface {}, ...interface {}) float64', (a: Value, ...rest: Value[]) =>
    fold(a, rest, divideDecimals),
  ),
};

/** strconv.ParseInt with a base; 0 if the text is invalid or out of range. */
function decimal(text: string, base: 8 | 10): bigint {
  const digits = (base === 8 ? /^([+-]?)([0-7]{1,999})$/ : /^([+-]?)(\d{1,999})$/).exec(text);
  if (digits === null) return 0n;
  const magnitude = BigInt((base === 8 ? '0o' : '') + digits[2]);
  const value = digits[1] === '-' ? -magnitude : magnitude;
  return BigInt.asIntN(64, value) === value ? value : 0n;
}

function divisor(value: Value): bigint {
  const by = toBigInt(value);
  if (by === 0n) throw new Error('runtime error: integer divide by zero');
  return by;
}

function best(args: readonly Value[], isBetter: (next: bigint, best: bigint) => boolean): Value {
  const numbers = args.map(toBigInt);
  return wrapInt(numbers.reduce((winner, next) => (isBetter(next, winner) ? next : winner)));
}

/** Rounds up if the fraction is at least `on`. The fraction of a negative number is negative, so it rounds down. */
function round(value: Value, places: Int, on = 0.5): number {
  const power = 10 ** Number(places.value);
  const scaled = power * toFloat(value);
  const fraction = scaled - Math.trunc(scaled);
  return (fraction >= on ? Math.ceil(scaled) : Math.floor(scaled)) / power;
}

function fold(first: Value, rest: readonly Value[], operate: (a: Decimal, b: Decimal) => Decimal): number {
  return toNumber(
    rest
      .map(toFloat)
      .map(fromFloat)
      .reduce(operate, fromFloat(toFloat(first))),
  );
}
