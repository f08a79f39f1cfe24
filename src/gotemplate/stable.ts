import type { CommandNode, Node, Operand, PipeNode } from './nodes.ts';
import type { Value } from './values.ts';

/** What executions have in common. */
export interface Common {
  /** Fields of the root that have the same values. */
  readonly fields: ReadonlySet<string>;
  /**
   * By function: the map among the fields of the root, such as `Meta.Labels`, of which it looks at nothing but the key that follows,
   * where that is written out: `index .Meta.Labels "app"`. Those keys have the same values.
   */
  readonly lookups: Readonly<Record<string, string>>;
}

/** What is known where a node stands. */
export interface Known {
  readonly common: Common;
  readonly dot: 'root' | 'stable' | 'varying';
  /** Whether `$` is the root. */
  readonly rooted: boolean;
  /** Variables set by what is stable around the node, whatever they hold. */
  readonly bound: ReadonlySet<string>;
  /** Variables of the template that always hold the same. */
  readonly constants: ReadonlyMap<string, Value>;
}

/** Whether a node renders to the same whenever it is reached, and does nothing else. */
export function isStableNode(node: Node, known: Known): boolean {
  switch (node.type) {
    case 'text':
      return true;
    case 'action':
      return node.pipe.variables.length === 0 && isStablePipe(node.pipe, known);
    case 'break':
    case 'continue':
    case 'template':
      return false;
  }
  const { pipe, body, otherwise = [] } = node;
  if (pipe.assign || !isStablePipe(pipe, known)) return false;
  const within: Known = {
    ...known,
    dot: node.type === 'if' ? known.dot : 'stable',
    bound: new Set([...known.bound, ...pipe.variables]),
  };
  return (
    body.every((each) => isStableNode(each, within)) &&
    otherwise.every((each) => isStableNode(each, { ...within, dot: known.dot }))
  );
}

/** Whether a pipeline has the same value whenever it is evaluated: functions know nothing but their arguments. */
export function isStablePipe(pipe: PipeNode, known: Known): boolean {
  return pipe.commands.every((command) => {
    const { args } = command;
    const asked = isLookup(command, known) ? args.toSpliced(1, 1) : args;
    return asked.every((arg) => isStableOperand(arg, known));
  });
}

export function isStableOperand(node: Operand, known: Known): boolean {
  switch (node.type) {
    case 'dot':
      return known.dot === 'stable';
    case 'field':
      if (known.dot !== 'root') return known.dot === 'stable';
      return known.common.fields.has(node.path[0] ?? '');
    case 'variable':
      if (node.name === '$') return known.rooted && known.common.fields.has(node.path[0] ?? '');
      return known.bound.has(node.name) || known.constants.has(node.name);
    case 'chain':
      return isStableOperand(node.base, known);
    case 'pipe':
      return node.variables.length === 0 && isStablePipe(node, known);
    default:
      return true;
  }
}

function isLookup({ args: [name, map, key] }: CommandNode, known: Known): boolean {
  if (name.type !== 'identifier' || key?.type !== 'string') return false;
  const { lookups } = known.common;
  return Object.hasOwn(lookups, name.name) && rootPath(map, known) === lookups[name.name];
}

/** `Meta.Labels` of `.Meta.Labels` or `$.Meta.Labels`, where those are of the root. */
function rootPath(node: Operand | undefined, { dot, rooted }: Known): string | undefined {
  if (node?.type === 'field' && dot === 'root') return node.path.join('.');
  return node?.type === 'variable' && node.name === '$' && rooted ? node.path.join('.') : undefined;
}
