import { quote } from '../golang/strconv.ts';

interface At {
  readonly pos: number;
}

export interface NumberNode extends At {
  readonly type: 'number';
  readonly text: string;
  /** The value as an integer, if it is one. Floats such as 1.0 are. */
  readonly int: bigint | undefined;
  readonly float: number;
  /** Written as a float, so its default type is float64. */
  readonly isFloat: boolean;
}

export type Operand =
  | (At & { readonly type: 'bool'; readonly value: boolean })
  | NumberNode
  | (At & { readonly type: 'string'; readonly text: string; readonly value: string })
  | (At & { readonly type: 'nil' })
  | (At & { readonly type: 'dot' })
  | (At & { readonly type: 'field'; readonly path: readonly string[] })
  | (At & { readonly type: 'variable'; readonly name: string; readonly path: readonly string[] })
  | (At & { readonly type: 'chain'; readonly base: Operand; readonly path: readonly string[] })
  | (At & { readonly type: 'identifier'; readonly name: string })
  | PipeNode;

export interface CommandNode extends At {
  readonly type: 'command';
  readonly args: readonly [Operand, ...Operand[]];
}

export interface PipeNode extends At {
  readonly type: 'pipe';
  readonly assign: boolean;
  readonly variables: readonly string[];
  readonly commands: readonly CommandNode[];
}

export interface BranchNode extends At {
  readonly type: 'if' | 'with' | 'range';
  readonly pipe: PipeNode;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[] | undefined;
}

export type Node =
  | (At & { readonly type: 'text'; readonly text: string })
  | (At & { readonly type: 'action'; readonly pipe: PipeNode })
  | (At & { readonly type: 'break' | 'continue' })
  | (At & { readonly type: 'template'; readonly name: string; readonly pipe: PipeNode | undefined })
  | BranchNode;

export type AnyNode = Node | Operand | CommandNode;

/** The text of a node in Go's error messages. */
export function nodeText(node: AnyNode): string {
  switch (node.type) {
    case 'text':
    case 'number':
    case 'string':
      return node.text;
    case 'bool':
      return String(node.value);
    case 'nil':
      return 'nil';
    case 'dot':
      return '.';
    case 'identifier':
      return node.name;
    case 'field':
      return fields(node.path);
    case 'variable':
      return node.name + fields(node.path);
    case 'chain':
      return argText(node.base) + fields(node.path);
    case 'command':
      return node.args.map(argText).join(' ');
    case 'pipe':
      return pipeText(node);
    case 'action':
      return `{{${pipeText(node.pipe)}}}`;
    case 'break':
    case 'continue':
      return `{{${node.type}}}`;
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${pipeText(node.pipe)}`}}}`;
  }
  const otherwise = node.otherwise === undefined ? '' : `{{else}}${node.otherwise.map(nodeText).join('')}`;
  return `{{${node.type} ${pipeText(node.pipe)}}}${node.body.map(nodeText).join('')}${otherwise}{{end}}`;
}

function fields(path: readonly string[]): string {
  return path.map((name) => `.${name}`).join('');
}

function argText(arg: Operand): string {
  return arg.type === 'pipe' ? `(${pipeText(arg)})` : nodeText(arg);
}

function pipeText(pipe: PipeNode): string {
  const commands = pipe.commands.map(nodeText).join(' | ');
  if (pipe.variables.length === 0) return commands;
  return `${pipe.variables.join(', ')} ${pipe.assign ? '=' : ':='} ${commands}`;
}
