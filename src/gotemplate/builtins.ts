import { byteLength } from '../golang/utf8.ts';
import { equalsAny, isAtMost, isLess } from './compare.ts';
import { isMap, itemsOf, mapSize } from './containers.ts';
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts';
import { Func, type FunctionMap, func, metered } from './func.ts';
import { index, slice } from './index-value.ts';
import type { Meter } from './meter.ts';
import { pointee, printValue, sprint, sprintln } from './print.ts';
import { sprintf } from './sprintf.ts';
import { isTrue } from './truth.ts';
import { isIntKind, isNil, kindOf, typeOf, underlying } from './types.ts';
import { Int, type Value } from './values.ts';

const COMPARISON = 'func(reflect.Value, reflect.Value) (bool, error)';

/** The functions that every template has. The compiler replaces the bodies of `and`, `or` and `call`. */
export const BUILTINS: FunctionMap = {
  and: func('func(reflect.Value, ...reflect.Value) reflect.Value', () => undefined),
  or: func('func(reflect.Value, ...reflect.Value) reflect.Value', () => undefined),
  call: callBuiltin(''),
  not: func('func(reflect.Value) bool', (value: Value) => !isTrue(value)),
  html: metered('func(...interface {}) string', (meter, ...args) => escapeHtml(textOf(args, meter))),
  js: metered('func(...interface {}) string', (meter, ...args) => escapeJs(textOf(args, meter))),
  urlquery: metered('func(...interface {}) string', (meter, ...args) => escapeQuery(textOf(args, meter))),
  index: func('func(reflect.Value, ...reflect.Value) (reflect.Value, error)', index),
  slice: func('func(reflect.Value, ...reflect.Value) (reflect.Value, error)', slice),
  len: func('func(reflect.Value) (int, error)', (value: Value) => new Int('int', BigInt(length(value)))),
  print: metered('func(...interface {}) string', (meter, ...args) => sprint(args, meter)),
  println: metered('func(...interface {}) string', (meter, ...args) => sprintln(args, meter)),
  printf: metered('func(string, ...interface {}) string', (meter, format: string, ...args: Value[]) =>
    sprintf(format, args, meter),
  ),
  eq: metered('func(reflect.Value, ...reflect.Value) (bool, error)', (meter, a: Value, ...others: Value[]) =>
    equalsAny(meter, a, others),
  ),
  ne: metered(COMPARISON, (meter, a: Value, b: Value) => !equalsAny(meter, a, [b])),
  lt: func(COMPARISON, isLess),
  le: metered(COMPARISON, isAtMost),
  gt: metered(COMPARISON, (meter, a: Value, b: Value) => !isAtMost(meter, a, b)),
  ge: func(COMPARISON, (a: Value, b: Value) => !isLess(a, b)),
};

/** `call`. Its errors quote the callee as the template spells it. */
export function callBuiltin(callee: string): Func {
  return new Func('func(reflect.Value, ...reflect.Value) reflect.Value', ([target, ...args], meter) => {
    if (target === undefined || target === null) throw new Error('call of nil');
    if (!(target instanceof Func)) throw new Error(`non-function ${callee} of type ${typeOf(target)}`);
    const { params, variadic } = target;
    const few = args.length < params.length;
    if (variadic === undefined ? few || args.length > params.length : few) {
      const want = variadic === undefined ? params.length : `at least ${params.length}`;
      throw new Error(`wrong number of args for ${callee}: got ${args.length} want ${want}`);
    }
    const values = args.map((arg, i) => prepare(arg, params[i] ?? variadic ?? 'interface {}', i));
    return target.call(values, meter);
  });
}

function prepare(value: Value, goType: string, position: number): Value {
  if (goType === 'interface {}' || goType === 'reflect.Value' || typeOf(value) === goType) return value;
  const int = underlying(value);
  if (isIntKind(goType) && int instanceof Int) return new Int(goType, int.value);
  throw new Error(`arg ${position}: value has type ${typeOf(value)}; should be ${goType}`);
}

function length(value: Value): number {
  if (value === undefined) throw new Error('reflect: call of reflect.Value.Type on zero Value');
  const item = pointee(underlying(value));
  if (typeof item === 'string') return byteLength(item);
  const items = itemsOf(item);
  if (items !== undefined) return items.length;
  if (isMap(item)) return mapSize(item);
  if (isNil(item) && kindOf(item) !== 'func') throw new Error('len of nil pointer');
  throw new Error(`len of type ${typeOf(item)}`);
}

function textOf(args: readonly Value[], meter: Meter): string {
  const [only] = args;
  if (args.length === 1 && typeof only === 'string') return only;
  return sprint(
    args.map((arg) => (arg === null || arg === undefined ? printValue(arg, meter) : pointee(arg))),
    meter,
  );
}
