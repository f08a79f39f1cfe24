import { elemType, isMap, itemsOf, mapGet, sortedKeys } from './containers.ts';
import type { BranchNode } from './nodes.ts';
import { pointee, printOne } from './print.ts';
import type { Eval, Exec } from './scope.ts';
import { dropVariables, fail, type State, variable } from './state.ts';
import { ANY, isNil, underlying } from './types.ts';
import { Int, type IntKind, type Value } from './values.ts';

/** {{range}} over slices, maps in the order of their keys, and integers. */
export function compileRange(node: BranchNode, pipe: Eval, body: Exec, otherwise: Exec | undefined): Exec {
  const iterate = compileIteration(node, body);
  return (state, dot) => {
    const mark = state.variables.length;
    const collection = pointee(pipe(state, dot));
    const outer = state.dotIsInterface;
    state.dotIsInterface = elemType(collection) === ANY;
    const count = eachElement(state, node, collection, iterate);
    state.dotIsInterface = outer;
    const ended = count === 0 && otherwise !== undefined ? otherwise(state, dot) : 'done';
    dropVariables(state, mark);
    return ended;
  };
}

/** Returns false to stop the loop. */
type Iterate = (state: State, index: Value, element: Value) => boolean;

function compileIteration(node: BranchNode, body: Exec): Iterate {
  const { variables, assign } = node.pipe;
  return (state, index, element) => {
    state.meter.spend(1);
    const mark = state.variables.length;
    setVariables(state, variables, assign, index, element);
    const ended = body(state, element);
    dropVariables(state, mark);
    return ended !== 'break';
  };
}

/** One variable is the element, two are the index and the element. Declared variables are on top of the stack. */
function setVariables(
  state: State,
  names: readonly string[],
  assign: boolean,
  index: Value,
  element: Value,
): void {
  const isInterface = state.dotIsInterface;
  const [first, second] = names;
  if (first === undefined) return;
  const elementName = second ?? first;
  if (assign) {
    if (second !== undefined) Object.assign(variable(state, first), { value: index, isInterface: false });
    Object.assign(variable(state, elementName), { value: element, isInterface });
    return;
  }
  const top = state.variables.length;
  // The pipeline itself has declared these with its own value: each iteration replaces them.
  state.variables[top - 1] = { name: elementName, value: element, isInterface };
  if (second !== undefined) state.variables[top - 2] = { name: first, value: index, isInterface: false };
}

function eachElement(state: State, node: BranchNode, collection: Value, iterate: Iterate): number {
  if (collection === undefined || collection === null) return 0;
  const items = itemsOf(collection);
  if (items !== undefined) {
    for (let i = 0; i < items.length; i++)
      if (!iterate(state, new Int('int', BigInt(i)), items[i] ?? null)) break;
    return items.length;
  }
  if (isMap(collection)) {
    const keys = sortedKeys(collection);
    for (const key of keys) if (!iterate(state, key, mapGet(collection, key))) break;
    return keys.length;
  }
  const count = underlying(collection);
  if (count instanceof Int) return eachInteger(state, node, count, iterate);
  return fail(
    state,
    `range can't iterate over ${isNil(collection) ? '<nil>' : printOne(collection, state.meter)}`,
  );
}

function eachInteger(state: State, node: BranchNode, count: Int, iterate: Iterate): number {
  if (node.pipe.variables.length > 1) {
    fail(state, `can't use ${count.value} to iterate over more than one variable`);
  }
  const outer = state.dotIsInterface;
  state.dotIsInterface = false;
  for (let i = 0n; i < count.value; i++) {
    if (!iterate(state, undefined, new Int(count.kind as IntKind, i))) break;
  }
  state.dotIsInterface = outer;
  return count.value > 0n ? 1 : 0;
}
