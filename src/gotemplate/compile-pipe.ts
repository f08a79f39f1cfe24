import { callBuiltin } from './builtins.ts';
import { idealConstant } from './compile-args.ts';
import { compileCall, compileLogic } from './compile-call.ts';
import { walkChain } from './field.ts';
import { type AnyNode, type CommandNode, nodeText, type Operand, type PipeNode } from './nodes.ts';
import type { Call, Eval, Scope } from './scope.ts';
import { fail, type State, variable } from './state.ts';
import type { Value } from './values.ts';

/** Compiles a pipeline to a closure that evaluates the commands, then declares or assigns the variables. */
export function compilePipe(scope: Scope, pipe: PipeNode): Eval {
  const value = compileCommands(scope, pipe);
  const { variables, assign } = pipe;
  if (variables.length === 0) return value;
  return (state, dot) => {
    const result = value(state, dot);
    for (const name of variables) {
      if (assign) Object.assign(variable(state, name), { value: result, isInterface: false });
      else state.variables.push({ name, value: result, isInterface: false });
    }
    return result;
  };
}

/** Compiles an operand whose value may have any type. */
export function compileOperand(scope: Scope, node: Operand): Eval {
  if (node.type === 'pipe') return compilePipe(scope, node);
  const command = compileFirst(scope, node, node, []);
  return (state, dot) => command(state, dot, undefined);
}

function compileCommands(scope: Scope, pipe: PipeNode): Eval {
  const [first, ...rest] = pipe.commands.map((command) => compileCommand(scope, command)) as [
    Call,
    ...Call[],
  ];
  return (state, dot) => {
    state.node = pipe;
    let value = unwrap(first(state, dot, undefined));
    for (const command of rest) value = unwrap(command(state, dot, { value }));
    return value;
  };
}

/** A nil interface that a command returns becomes "no value". */
function unwrap(value: Value): Value {
  return value === null ? undefined : value;
}

function compileCommand(scope: Scope, command: CommandNode): Call {
  const [first, ...args] = command.args;
  return compileFirst(scope, first, command, args);
}

/** `node` is the place of errors of the call: the whole command, or an operand without arguments. */
function compileFirst(scope: Scope, first: Operand, node: AnyNode, args: readonly Operand[]): Call {
  switch (first.type) {
    case 'field':
      return compileField(scope, first, args);
    case 'chain':
      return compileChain(scope, first, args);
    case 'variable':
      return compileVariable(scope, first, args);
    case 'identifier':
      return compileFunction(scope, first, node, args);
    case 'pipe':
      return compileParens(scope, first, args);
  }
  return compileWord(first, args);
}

type Typed<T extends Operand['type']> = Extract<Operand, { type: T }>;

function compileField(scope: Scope, node: Typed<'field'>, args: readonly Operand[]): Call {
  const chain = { scope, node, path: node.path, args };
  return (state, dot, final) => {
    state.node = node;
    return walkChain(chain, state, dot, dot, state.dotIsInterface, final);
  };
}

function compileChain(scope: Scope, node: Typed<'chain'>, args: readonly Operand[]): Call {
  const chain = { scope, node, path: node.path, args };
  const base = compileOperand(scope, node.base);
  return (state, dot, final) => {
    state.node = node.base;
    return walkChain(chain, state, dot, base(state, dot), false, final);
  };
}

function compileVariable(scope: Scope, node: Typed<'variable'>, args: readonly Operand[]): Call {
  const { name, path } = node;
  const chain = { scope, node, path, args };
  return (state, dot, final) => {
    state.node = node;
    const { value, isInterface } = variable(state, name);
    if (path.length > 0) return walkChain(chain, state, dot, value, isInterface, final);
    if (args.length > 0 || final !== undefined) notAFunction(state, node);
    return value;
  };
}

function compileParens(scope: Scope, node: PipeNode, args: readonly Operand[]): Call {
  const value = compilePipe(scope, node);
  return (state, dot, final) => {
    if (args.length > 0 || final !== undefined) notAFunction(state, node);
    return value(state, dot);
  };
}

function compileFunction(
  scope: Scope,
  node: Typed<'identifier'>,
  command: AnyNode,
  args: readonly Operand[],
): Call {
  const call = bindFunction(scope, node.name, command, args);
  return (state, dot, final) => {
    state.node = node;
    return call(state, dot, final);
  };
}

function bindFunction(scope: Scope, name: string, command: AnyNode, args: readonly Operand[]): Call {
  const found = scope.findFunction(name);
  if (found === undefined) return (state) => fail(state, `"${name}" is not a defined function`);
  const { func, builtin } = found;
  if (builtin && (name === 'and' || name === 'or')) return compileLogic(scope, func, name, args);
  // Errors of `call` name the callee as it is written in the template.
  const callee = builtin && name === 'call' && args[0] !== undefined ? callBuiltin(nodeText(args[0])) : func;
  return compileCall(scope, callee, name, command, args);
}

function compileWord(first: Operand, args: readonly Operand[]): Call {
  const isConstant = first.type === 'bool' || first.type === 'number' || first.type === 'string';
  const constant = isConstant ? idealConstant(first) : { value: undefined };
  return (state, dot, final) => {
    state.node = first;
    if (args.length > 0 || final !== undefined) notAFunction(state, first);
    if (first.type === 'dot') return dot;
    if (first.type === 'nil') return fail(state, 'nil is not a command');
    return 'problem' in constant ? fail(state, constant.problem) : constant.value;
  };
}

function notAFunction(state: State, node: Operand): never {
  return fail(state, `can't give argument to non-function ${nodeText(node)}`);
}
