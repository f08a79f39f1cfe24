import { assign, compileArg } from './compile-args.ts';
import { itemsOf } from './containers.ts';
import type { Func } from './func.ts';
import { BudgetError, textCost } from './meter.ts';
import type { AnyNode, Operand } from './nodes.ts';
import type { Call, Eval, Scope } from './scope.ts';
import { fail, type State } from './state.ts';
import { TemplateError } from './template-error.ts';
import { isTrue } from './truth.ts';
import type { Value } from './values.ts';

/** Compiles a call of a function with the arguments in the template and the one that the pipeline passes on. */
export function compileCall(
  scope: Scope,
  func: Func,
  name: string,
  node: AnyNode,
  args: readonly Operand[],
): Call {
  const { params, variadic } = func;
  const compiled = args.map((arg, i) => compileArg(scope, arg, params[i] ?? variadic ?? 'interface {}'));
  return (state, dot, final) => {
    const count = args.length + (final === undefined ? 0 : 1);
    if (variadic === undefined ? count !== params.length : count < params.length) {
      return wrongCount(state, func, name, args.length, count);
    }
    const values = new Array<Value>(count);
    for (let i = 0; i < compiled.length; i++) values[i] = (compiled[i] as Eval)(state, dot);
    if (final !== undefined) {
      values[count - 1] = assign(state, final.value, params[count - 1] ?? variadic ?? 'interface {}');
    }
    return invoke(state, func, name, node, values);
  };
}

/** The builtins `and` and `or` return the operand that decides the result and do not evaluate the rest. */
export function compileLogic(scope: Scope, func: Func, name: 'and' | 'or', args: readonly Operand[]): Call {
  const compiled = args.map((arg) => compileArg(scope, arg, 'reflect.Value'));
  return (state, dot, final) => {
    if (compiled.length === 0 && final === undefined) return wrongCount(state, func, name, 0, 0);
    let value: Value;
    for (const evaluate of compiled) {
      value = evaluate(state, dot);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return final === undefined ? value : final.value;
  };
}

/** Calls a function. Its errors, and the panics that Go would recover from, become template errors. */
export function invoke(state: State, func: Func, name: string, node: AnyNode, values: Value[]): Value {
  try {
    for (const value of values) state.meter.spend(cost(value));
    const result = func.call(values, state.meter);
    state.meter.spend(1 + (itemsOf(result)?.length ?? 0));
    if (typeof result === 'string') state.meter.reserve(result.length);
    return result;
  } catch (cause) {
    if (cause instanceof TemplateError) throw cause;
    state.node = node;
    if (cause instanceof BudgetError) throw cause;
    const reason = cause instanceof RangeError ? 'value is nested too deeply' : (cause as Error).message;
    return fail(state, `error calling ${name}: ${reason}`, cause);
  }
}

/** A function may read all of an argument, so long texts and lists cost steps. Short ones are free. */
function cost(value: Value): number {
  if (typeof value === 'string') return textCost(value);
  const items = itemsOf(value);
  return items === undefined ? 0 : items.length >> 4;
}

function wrongCount(state: State, func: Func, name: string, written: number, count: number): never {
  const { params, variadic } = func;
  if (variadic === undefined)
    fail(state, `wrong number of args for ${name}: want ${params.length} got ${count}`);
  return fail(state, `wrong number of args for ${name}: want at least ${params.length} got ${written}`);
}
