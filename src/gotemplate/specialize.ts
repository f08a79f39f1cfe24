import { compileNodes, type NodeScope } from './compile-node.ts';
import type { AnyNode, BranchNode, CommandNode, Node, Operand, PipeNode } from './nodes.ts';
import type { Trees } from './parse.ts';
import { rootedTrees, type Source } from './rooted-trees.ts';
import { type Common, isStableNode, isStableOperand, isStablePipe, type Known } from './stable.ts';
import type { State } from './state.ts';
import { isTrue } from './truth.ts';
import { Int, Named, type Value } from './values.ts';
import { variablesSetOnce } from './variables-set-once.ts';

/** How to try parts of a template out. */
export interface Trial {
  readonly scope: NodeScope;
  readonly data: Value;
  readonly start: () => State;
}

/**
 * The trees with all that depends on nothing but what executions have in common worked out: text where there were actions, the
 * branch that is taken where there was a condition. What fails is left as it is, and fails when it is reached.
 */
export function specializeTrees(source: Source, common: Common, trial: Trial): Trees {
  const rooted = rootedTrees(source);
  const folded = [...source.trees].map(([name, nodes]) => {
    const isRooted = rooted.has(name);
    const fold: Fold = {
      known: {
        common,
        dot: isRooted ? 'root' : 'varying',
        rooted: isRooted,
        bound: new Set(),
        constants: new Map(),
      },
      trial,
      setOnce: variablesSetOnce(nodes),
      isTop: true,
    };
    return [name, foldNodes(nodes, fold)] as const;
  });
  return new Map(folded);
}

interface Fold {
  readonly known: Known & { readonly constants: Map<string, Value> };
  readonly trial: Trial;
  /** Variables of this tree that are declared at one place, and never assigned to: that place says all about them. */
  readonly setOnce: ReadonlySet<string>;
  /** Not inside a branch: what is declared there holds up to the end. */
  readonly isTop: boolean;
}

function foldNodes(nodes: readonly Node[], fold: Fold): readonly Node[] {
  const folded: Node[] = [];
  for (const node of nodes.flatMap((each) => foldNode(each, fold))) {
    const last = folded.at(-1);
    if (node.type !== 'text' || last?.type !== 'text') folded.push(node);
    else folded[folded.length - 1] = { ...last, text: last.text + node.text };
  }
  return folded;
}

function foldNode(node: Node, fold: Fold): readonly Node[] {
  if (!('pipe' in node) || node.type === 'template') return [node];
  if (isStableNode(node, fold.known)) {
    const text = attempt(() => rendered(node, fold));
    if (text === undefined) return [node];
    return text === '' ? [] : [{ type: 'text', text, pos: node.pos }];
  }
  const pipe = foldPipe(node.pipe, fold);
  if (node.type === 'action') return [{ ...node, pipe: constantDeclaration(node.pipe, fold) ?? pipe }];
  if (node.type === 'if') {
    const taken = foldedBranch(node, fold);
    if (taken !== undefined) return taken;
  }
  const inner = { ...fold, isTop: false };
  const body = foldNodes(
    node.body,
    node.type === 'if' ? inner : { ...inner, known: { ...fold.known, dot: 'varying' } },
  );
  const otherwise = node.otherwise && foldNodes(node.otherwise, inner);
  return [{ ...node, pipe, body, otherwise }];
}

/** The nodes of an `if` whose condition is known, where they can stand without it: a variable would be seen behind it. */
function foldedBranch({ pipe, body, otherwise = [] }: BranchNode, fold: Fold): readonly Node[] | undefined {
  if (pipe.variables.length > 0 || !isStablePipe(pipe, fold.known)) return undefined;
  const condition = attempt(() => ({ value: evaluated(pipe, fold).value }));
  if (condition === undefined) return undefined;
  const taken = isTrue(condition.value) ? body : otherwise;
  const declares = taken.some(
    (node) => node.type === 'action' && node.pipe.variables.length > 0 && !node.pipe.assign,
  );
  return declares ? undefined : foldNodes(taken, { ...fold, isTop: false });
}

function foldPipe(pipe: PipeNode, fold: Fold): PipeNode {
  return { ...pipe, commands: pipe.commands.map((command) => foldCommand(command, fold)) };
}

/** What stands first is called or passed on; only arguments are folded, and what stands in parentheses. */
function foldCommand(command: CommandNode, fold: Fold): CommandNode {
  const [first, ...rest] = command.args;
  const args = rest.map((arg) => foldOperand(arg, fold));
  return { ...command, args: [first.type === 'pipe' ? foldPipe(first, fold) : first, ...args] };
}

function foldOperand(node: Operand, fold: Fold): Operand {
  const isCompound = node.type === 'field' || node.type === 'chain' || node.type === 'pipe';
  if (!isCompound && node.type !== 'variable') return node;
  if (isStableOperand(node, fold.known)) {
    const result = attempt(() => evaluated(node, fold));
    if (result !== undefined && isFlat(result.value)) {
      return { type: 'constant', value: result.value, of: node, last: result.last, pos: node.pos };
    }
  }
  return node.type === 'pipe' ? foldPipe(node, fold) : node;
}

/** What no function can change: a dictionary made by the template would be shared by all executions. */
function isFlat(value: Value): boolean {
  return typeof value !== 'object' || value === null || value instanceof Int || value instanceof Named;
}

/** `$x := …` where that is always the same. */
function constantDeclaration(pipe: PipeNode, fold: Fold): PipeNode | undefined {
  const [name] = pipe.variables;
  if (name === undefined || !fold.isTop || !fold.setOnce.has(name)) return undefined;
  const constant = foldOperand({ ...pipe, variables: [] }, fold);
  if (constant.type !== 'constant') return undefined;
  fold.known.constants.set(name, constant.value);
  return { ...pipe, commands: [{ type: 'command', args: [constant], pos: pipe.pos }] };
}

function rendered(node: Node, fold: Fold): string {
  const state = started(fold);
  compileNodes(fold.trial.scope, [node])(state, fold.trial.data);
  return state.out;
}

function evaluated(node: Operand, fold: Fold): { readonly value: Value; readonly last: AnyNode } {
  const state = started(fold);
  const value = fold.trial.scope.compileOperand(node)(state, fold.trial.data);
  return { value, last: state.node };
}

function started({ known, trial }: Fold): State {
  const state = trial.start();
  for (const [name, value] of known.constants) state.variables.push({ name, value, isInterface: false });
  return state;
}

/** Undefined for what fails, budget and stack included: an execution that comes there says how. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}
