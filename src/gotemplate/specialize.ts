import type { CommandNode, Node, Operand, PipeNode } from './nodes.ts';
import type { Trees } from './parse.ts';

/** What is known of the data before a template is executed. */
export interface KnownData {
  /** Fields of the root. */
  readonly fields: ReadonlySet<string>;
  /** By function: the path of the map in which it looks up a literal key, `Meta.Labels` for `index .Meta.Labels "app"`. */
  readonly lookups: Readonly<Record<string, string>>;
  /** Whether the value of a key that is looked up is known. */
  readonly isKnownKey: (key: string) => boolean;
}

/** Renders a node from known data. Undefined if that fails: an execution that reaches the node fails there, too. */
export type RenderKnown = (node: Node) => string | undefined;

/** Evaluates everything that depends on known data alone: actions become text, conditions disappear. */
export function specializeNodes(
  nodes: readonly Node[],
  trees: Trees,
  data: KnownData,
  render: RenderKnown,
): readonly Node[] {
  return joinTexts(nodes.flatMap(specialize));

  function specialize(node: Node): readonly Node[] {
    if (isKnownNode(node, { data, trees, dot: 'root' })) {
      const text = render(node);
      if (text === undefined) return [node];
      return text === '' ? [] : [{ type: 'text', text, pos: node.pos }];
    }
    if (node.type !== 'if') return [node];
    const { pipe, body, otherwise } = node;
    if (pipe.variables.length === 0 && isKnownPipe(pipe, { data, trees, dot: 'root' })) {
      const chosen = render({ ...node, body: [YES], otherwise: undefined });
      const branch = chosen === '' ? (otherwise ?? []) : body;
      // Without the `if`, a variable would be visible behind it.
      if (chosen !== undefined && !branch.some(declaresVariable)) return branch.flatMap(specialize);
    }
    return [
      {
        ...node,
        body: joinTexts(body.flatMap(specialize)),
        otherwise: otherwise && joinTexts(otherwise.flatMap(specialize)),
      },
    ];
  }
}

const YES: Node = { type: 'text', text: 'yes', pos: 0 };

function joinTexts(nodes: readonly Node[]): readonly Node[] {
  const joined: Node[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { ...last, text: last.text + node.text };
    } else {
      joined.push(node);
    }
  }
  return joined;
}

function declaresVariable(node: Node): boolean {
  return node.type === 'action' && node.pipe.variables.length > 0 && !node.pipe.assign;
}

interface Known {
  readonly data: KnownData;
  /** Templates that may be called. */
  readonly trees: Trees;
  /** The root, or the value of a known pipeline. */
  readonly dot: 'root' | 'known';
}

function isKnownNode(node: Node, known: Known): boolean {
  switch (node.type) {
    case 'text':
      return true;
    case 'action':
      return isKnownPipe(node.pipe, known);
    case 'template': {
      if (known.dot !== 'root' || node.pipe === undefined || !isDot(node.pipe)) return false;
      const body = known.trees.get(node.name) ?? [];
      // Calls in the body count as unknown, so that recursion ends here.
      return body.every((each) => isKnownNode(each, { ...known, trees: NO_TREES }));
    }
    case 'break':
    case 'continue':
      return false;
  }
  const inner: Known = node.type === 'if' ? known : { ...known, dot: 'known' };
  return (
    isKnownPipe(node.pipe, known) &&
    node.body.every((each) => isKnownNode(each, inner)) &&
    (node.otherwise ?? []).every((each) => isKnownNode(each, known))
  );
}

const NO_TREES: Trees = new Map();

function isDot({ commands: [command, ...others] }: PipeNode): boolean {
  return command?.args[0].type === 'dot' && command.args.length === 1 && others.length === 0;
}

/** Functions depend on their arguments alone. Variables count as unknown. */
function isKnownPipe({ variables, commands }: PipeNode, known: Known): boolean {
  if (variables.length > 0) return false;
  return commands.every((command) => {
    const args = isKnownLookup(command, known) ? command.args.toSpliced(1, 1) : command.args;
    return args.every((arg) => isKnownOperand(arg, known));
  });
}

function isKnownOperand(node: Operand, known: Known): boolean {
  switch (node.type) {
    case 'dot':
      return known.dot === 'known';
    case 'field':
      return known.dot === 'known' || known.data.fields.has(node.path[0] ?? '');
    case 'variable':
      return false;
    case 'chain':
      return isKnownOperand(node.base, known);
    case 'pipe':
      return isKnownPipe(node, known);
    default:
      return true;
  }
}

function isKnownLookup({ args: [name, map, key] }: CommandNode, { data, dot }: Known): boolean {
  if (name.type !== 'identifier' || map?.type !== 'field' || key?.type !== 'string' || dot !== 'root')
    return false;
  const { lookups, isKnownKey } = data;
  const path = Object.hasOwn(lookups, name.name) ? lookups[name.name] : undefined;
  return map.path.join('.') === path && isKnownKey(key.value);
}
