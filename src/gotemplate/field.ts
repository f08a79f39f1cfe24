import { compileCall, invoke } from './compile-call.ts';
import { isMap, mapGet, structField } from './containers.ts';
import type { Func } from './func.ts';
import { methodOf } from './methods.ts';
import type { AnyNode, Operand } from './nodes.ts';
import type { Final, Scope } from './scope.ts';
import { fail, type State } from './state.ts';
import { ANY, typeOf } from './types.ts';
import { GoMap, Struct, type Value } from './values.ts';

/** .A.B.C with arguments for the last name, which may be a method. */
export interface Chain {
  readonly scope: Scope;
  readonly node: AnyNode;
  readonly path: readonly string[];
  readonly args: readonly Operand[];
}

/** Evaluates a chain from its receiver. A missing map key is "no value", and so are all fields below it. */
export function walkChain(
  chain: Chain,
  state: State,
  dot: Value,
  start: Value,
  startIsInterface: boolean,
  final: Final,
): Value {
  const last = chain.path.length - 1;
  let receiver = start;
  let isInterface = startIsInterface;
  for (let i = 0; i < last; i++) {
    const next = readField(chain, state, dot, receiver, isInterface, i, undefined);
    isInterface = isMap(receiver) && !(receiver instanceof GoMap && receiver.elem !== ANY);
    receiver = next;
  }
  return readField(chain, state, dot, receiver, isInterface, last, final);
}

function readField(
  chain: Chain,
  state: State,
  dot: Value,
  receiver: Value,
  isInterface: boolean,
  index: number,
  final: Final,
): Value {
  if (receiver === undefined) return undefined;
  const name = chain.path[index] ?? '';
  if (receiver === null) return fail(state, `nil pointer evaluating interface {}.${name}`);
  const args = index === chain.path.length - 1 ? chain.args : [];
  const method = methodOf(receiver, name);
  if (method !== undefined) return callMethod(chain, state, dot, method, name, args, final);
  const hasArgs = args.length > 0 || final !== undefined;
  if (receiver instanceof Struct) return readStructField(state, receiver, isInterface, name, hasArgs);
  if (!isMap(receiver)) return cannot(state, receiver, isInterface, name);
  if (hasArgs) fail(state, `${name} is not a method but has arguments`);
  return mapGet(receiver, name);
}

function callMethod(
  chain: Chain,
  state: State,
  dot: Value,
  method: Func,
  name: string,
  args: readonly Operand[],
  final: Final,
): Value {
  const simple = method.params.length === 0 && method.variadic === undefined && args.length === 0;
  if (simple && final === undefined) return invoke(state, method, name, chain.node, []);
  // The parameters of a method depend on its receiver, so the call is compiled here. Such calls are rare.
  return compileCall(chain.scope, method, name, chain.node, args)(state, dot, final);
}

function readStructField(
  state: State,
  receiver: Struct,
  isInterface: boolean,
  name: string,
  hasArgs: boolean,
): Value {
  const known = hasArgs || !isExported(name) ? undefined : receiver.read?.get(name);
  if (known !== undefined) return known;
  if (!Object.hasOwn(receiver.type.fields, name)) return cannot(state, receiver, isInterface, name);
  if (receiver.raw === null) {
    return fail(state, `nil pointer evaluating ${isInterface ? ANY : receiver.goType}.${name}`);
  }
  if (!isExported(name)) fail(state, `${name} is an unexported field of struct type ${receiver.goType}`);
  if (hasArgs) fail(state, `${name} has arguments but cannot be invoked as function`);
  return structField(receiver, name) ?? null;
}

/** Go exports the names that start with a capital letter. The fields of structs here are ASCII. */
function isExported(name: string): boolean {
  return name.charCodeAt(0) <= 90;
}

function cannot(state: State, receiver: Value, isInterface: boolean, name: string): never {
  return fail(state, `can't evaluate field ${name} in type ${isInterface ? ANY : typeOf(receiver)}`);
}
