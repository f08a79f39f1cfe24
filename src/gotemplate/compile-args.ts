import { MAX_INT64 } from '../golang/parse-number.ts';
import { nodeText, type Operand } from './nodes.ts';
import type { Eval, Scope } from './scope.ts';
import { fail, type State } from './state.ts';
import { ANY, canBeNil, isIntKind, isUnsigned, typeOf, zeroOf } from './types.ts';
import { Int, Struct, type Value } from './values.ts';

/** Compiles an argument for a parameter of a Go type. Constants convert to that type; other values must have it. */
export function compileArg(scope: Scope, node: Operand, goType: string): Eval {
  switch (node.type) {
    case 'bool':
    case 'number':
    case 'string':
      return compileConstant(node, goType);
    case 'nil':
      return compileNil(node, goType);
    case 'dot':
      return (state, dot) => {
        state.node = node;
        return assign(state, dot, goType);
      };
  }
  const evaluate = scope.compileOperand(node);
  return (state, dot) => {
    state.node = node;
    return assign(state, evaluate(state, dot), goType);
  };
}

/** Checks that a value can be passed as a type. nil becomes the zero value of types that can be nil. */
export function assign(state: State, value: Value, goType: string): Value {
  if (goType === ANY) return value === undefined ? null : value;
  if (goType === 'reflect.Value') return value;
  if (goType === 'string' && typeof value === 'string') return value;
  if (value === undefined) {
    return canBeNil(goType) ? zeroOf(goType) : fail(state, `invalid value; expected ${goType}`);
  }
  const actual = value === null ? ANY : typeOf(value);
  if (actual === goType) return value;
  if (value instanceof Struct && value.kind === 'ptr' && value.type.name === goType) {
    if (value.raw === null) return fail(state, `dereference of nil pointer of type ${goType}`);
    return new Struct('struct', value.type, value.raw);
  }
  return fail(state, `wrong type for value; expected ${goType}; got ${actual}`);
}

type Constant = Extract<Operand, { type: 'bool' | 'number' | 'string' }>;

/** The value of a constant, or why it has none. Go reports that problem when the action runs. */
type Attempt = { readonly value: Value } | { readonly problem: string };

/** The value of a constant that is not converted to a parameter's type. */
export function idealConstant(node: Constant): Attempt {
  if (node.type !== 'number') return { value: node.value };
  if (node.isFloat) return { value: node.float };
  if (node.int === undefined || node.int > MAX_INT64) return { problem: `${node.text} overflows int` };
  return { value: new Int('int', node.int) };
}

function compileConstant(node: Constant, goType: string): Eval {
  const constant = constantFor(node, goType);
  return (state) => {
    state.node = node;
    return 'problem' in constant ? fail(state, constant.problem) : constant.value;
  };
}

function constantFor(node: Constant, goType: string): Attempt {
  if (goType === ANY || goType === 'reflect.Value') return idealConstant(node);
  if (goType === 'bool') return node.type === 'bool' ? { value: node.value } : expected('bool', node);
  if (goType === 'string') return node.type === 'string' ? { value: node.value } : expected('string', node);
  if (goType === 'float64') return node.type === 'number' ? { value: node.float } : expected('float', node);
  if (!isIntKind(goType)) return { problem: `can't handle ${nodeText(node)} for arg of type ${goType}` };
  const unsigned = isUnsigned(goType);
  if (
    node.type === 'number' &&
    node.int !== undefined &&
    (unsigned ? node.int >= 0n : node.int <= MAX_INT64)
  ) {
    const bits = Number(/\d+$/.exec(goType)?.[0] ?? 64);
    return {
      value: new Int(goType, unsigned ? BigInt.asUintN(bits, node.int) : BigInt.asIntN(bits, node.int)),
    };
  }
  return expected(unsigned ? 'unsigned integer' : 'integer', node);
}

function expected(what: string, node: Constant): Attempt {
  return { problem: `expected ${what}; found ${nodeText(node)}` };
}

function compileNil(node: Operand, goType: string): Eval {
  const zero = goType === 'reflect.Value' ? undefined : zeroOf(goType);
  return (state) => {
    state.node = node;
    return canBeNil(goType) ? zero : fail(state, `cannot assign nil to ${goType}`);
  };
}
