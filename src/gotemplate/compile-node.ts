import { quote } from '../golang/strconv.ts';
import { compilePipe } from './compile-pipe.ts';
import { compileRange } from './compile-range.ts';
import type { Func } from './func.ts';
import { type BranchNode, type Node, nodeText } from './nodes.ts';
import { printValue } from './print.ts';
import type { Ended, Exec, Scope } from './scope.ts';
import { dropVariables, fail, type State, write } from './state.ts';
import { isTrue } from './truth.ts';
import { kindOf } from './types.ts';
import type { Value } from './values.ts';

export interface NodeScope extends Scope {
  readonly findTemplate: (name: string) => Exec | undefined;
}

/** Compiles a list of nodes to one closure. */
export function compileNodes(scope: NodeScope, nodes: readonly Node[]): Exec {
  const steps = nodes.map((node) => compileNode(scope, node));
  return (state, dot) => {
    for (const step of steps) {
      const ended = step(state, dot);
      if (ended !== 'done') return ended;
    }
    return 'done';
  };
}

function compileNode(scope: NodeScope, node: Node): Exec {
  const run = compileStep(scope, node);
  return (state, dot) => {
    state.node = node;
    state.meter.spend(1);
    return run(state, dot);
  };
}

function compileStep(scope: NodeScope, node: Node): Exec {
  switch (node.type) {
    case 'text':
      return (state) => {
        write(state, node.text);
        return 'done';
      };
    case 'action':
      return compileAction(scope, node);
    case 'break':
    case 'continue':
      return () => node.type;
    case 'template':
      return compileTemplateCall(scope, node);
    case 'range':
      return compileRange(
        node,
        compilePipe(scope, node.pipe),
        compileNodes(scope, node.body),
        node.otherwise && compileNodes(scope, node.otherwise),
      );
  }
  return compileBranch(scope, node);
}

type Typed<T extends Node['type']> = Extract<Node, { type: T }>;

function compileAction(scope: NodeScope, node: Typed<'action'>): Exec {
  const value = compilePipe(scope, node.pipe);
  const silent = node.pipe.variables.length > 0;
  return (state, dot) => {
    const result = value(state, dot);
    if (silent) return 'done';
    state.node = node;
    if (kindOf(result) === 'func')
      fail(state, `can't print ${nodeText(node)} of type ${(result as Func).goType}`);
    write(state, printValue(result, state.meter));
    return 'done';
  };
}

function compileBranch(scope: NodeScope, node: BranchNode): Exec {
  const condition = compilePipe(scope, node.pipe);
  const body = compileNodes(scope, node.body);
  const otherwise = node.otherwise && compileNodes(scope, node.otherwise);
  const setsDot = node.type === 'with';
  return (state, dot) => {
    const mark = state.variables.length;
    const value = condition(state, dot);
    let ended: Ended = 'done';
    if (!isTrue(value)) ended = otherwise === undefined ? 'done' : otherwise(state, dot);
    else if (setsDot) ended = withDot(state, value, body);
    else ended = body(state, dot);
    dropVariables(state, mark);
    return ended;
  };
}

function withDot(state: State, dot: Value, body: Exec): Ended {
  const outer = state.dotIsInterface;
  state.dotIsInterface = false;
  const ended = body(state, dot);
  state.dotIsInterface = outer;
  return ended;
}

function compileTemplateCall(scope: NodeScope, node: Typed<'template'>): Exec {
  const argument = node.pipe === undefined ? () => undefined : compilePipe(scope, node.pipe);
  return (state, dot) => {
    const body = scope.findTemplate(node.name);
    if (body === undefined) return fail(state, `template ${quote(node.name)} not defined`);
    if (state.depth >= state.budget.depth) {
      fail(state, `exceeded maximum template depth (${state.budget.depth})`);
    }
    const value = argument(state, dot);
    // A template does not see the variables of its caller.
    const { variables, running } = state;
    state.variables = [{ name: '$', value, isInterface: false }];
    state.running = node.name;
    state.depth++;
    withDot(state, value, body);
    state.depth--;
    state.running = running;
    state.variables = variables;
    return 'done';
  };
}
