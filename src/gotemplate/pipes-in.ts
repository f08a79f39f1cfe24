import type { CommandNode, Node, Operand, PipeNode } from './nodes.ts';

/** All pipelines below the nodes, those in parentheses included. */
export function pipesIn(nodes: readonly Node[]): readonly PipeNode[] {
  return nodes.flatMap((node) => {
    if (!('pipe' in node) || node.pipe === undefined) return [];
    const inner = 'body' in node ? pipesIn([...node.body, ...(node.otherwise ?? [])]) : [];
    return [...pipesOf(node.pipe), ...inner];
  });
}

export function commandsIn(nodes: readonly Node[]): readonly CommandNode[] {
  return pipesIn(nodes).flatMap(({ commands }) => commands);
}

function pipesOf(node: Operand): readonly PipeNode[] {
  if (node.type === 'chain') return pipesOf(node.base);
  if (node.type !== 'pipe') return [];
  return [node, ...node.commands.flatMap(({ args }) => args.flatMap(pipesOf))];
}
