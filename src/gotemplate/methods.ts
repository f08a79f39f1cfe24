import { Func } from './func.ts';
import { GoMap, type Method, Named, NO_METHODS, Struct, type Value } from './values.ts';

/** A method bound to its receiver; undefined if the value's type has no such method. */
export function methodOf(value: Value, name: string): Func | undefined {
  if (value instanceof Struct) {
    const { methods } = value.type;
    return methods === NO_METHODS ? undefined : bind(methods, name, value.raw);
  }
  if (value instanceof GoMap) {
    return value.methods === NO_METHODS ? undefined : bind(value.methods, name, value.entries);
  }
  if (value instanceof Named) return bind(value.methods, name, value.value);
  return undefined;
}

/** The result of the value's Error or String method, which fmt prints; undefined if it has neither. */
export function stringerText(value: Value): string | undefined {
  if (!(value instanceof Struct || value instanceof Named)) return undefined;
  for (const name of ['Error', 'String']) {
    const text = callStringer(value, name);
    if (text !== undefined) return text;
  }
  return undefined;
}

// A String method has no arguments that could make it expensive.
const UNUSED = { spend() {}, reserve() {} };

type Table = Readonly<Record<string, Method<never> | ((receiver: never) => Value)>>;

function bind(methods: Table, name: string, receiver: unknown): Func | undefined {
  if (!Object.hasOwn(methods, name)) return undefined;
  const method = methods[name];
  if (method === undefined) return undefined;
  if (typeof method === 'function') return new Func('func() interface {}', () => method(receiver as never));
  return new Func(method.signature, (args) => method.call(receiver as never, ...args));
}

function callStringer(value: Struct | Named, name: string): string | undefined {
  const method = methodOf(value, name);
  if (method === undefined || method.params.length > 0) return undefined;
  const text = callOrNil(method, value);
  return typeof text === 'string' ? text : undefined;
}

function callOrNil(method: Func, value: Struct | Named): Value {
  // fmt prints <nil> for a nil pointer whose String method panics.
  if (!(value instanceof Struct && value.raw === null)) return method.call([], UNUSED);
  try {
    return method.call([], UNUSED);
  } catch {
    return '<nil>';
  }
}
