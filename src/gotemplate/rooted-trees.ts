import type { Node, PipeNode } from './nodes.ts';
import type { Trees } from './parse.ts';

/** The templates that are only ever called with the root as their dot, the text itself among them, where `$` stays the root. */
export function rootedTrees({ name: main, text, trees }: Source): ReadonlySet<string> {
  if (SETS_ROOT.test(text)) return new Set();
  const calls = [...trees].flatMap(([caller, nodes]) =>
    callsIn(nodes, true).map((call) => ({ ...call, caller })),
  );
  const rooted = new Set(calls.some(({ name }) => name === main) ? [] : [main]);
  for (let before = -1; before < rooted.size; ) {
    before = rooted.size;
    for (const name of trees.keys()) {
      const own = calls.filter((call) => call.name === name);
      if (own.length > 0 && own.every(({ passesDot, caller }) => passesDot && rooted.has(caller)))
        rooted.add(name);
    }
  }
  return rooted;
}

export interface Source {
  readonly name: string;
  readonly text: string;
  readonly trees: Trees;
}

/** Go lets a template declare or set `$` like any variable. Nobody does; a text that looks like it is left as it is. */
const SETS_ROOT = /\$\s*(,|:?=[^=])/;

interface Call {
  readonly name: string;
  /** The dot of the template around it. */
  readonly passesDot: boolean;
}

function callsIn(nodes: readonly Node[], sameDot: boolean): readonly Call[] {
  return nodes.flatMap((node): readonly Call[] => {
    if (node.type === 'template') return [{ name: node.name, passesDot: passesDot(node.pipe, sameDot) }];
    if (node.type !== 'if' && node.type !== 'with' && node.type !== 'range') return [];
    return [...callsIn(node.body, sameDot && node.type === 'if'), ...callsIn(node.otherwise ?? [], sameDot)];
  });
}

function passesDot(pipe: PipeNode | undefined, sameDot: boolean): boolean {
  const [command, ...more] = pipe?.commands ?? [];
  const [arg, ...rest] = command?.args ?? [];
  if (arg === undefined || more.length > 0 || rest.length > 0) return false;
  return arg.type === 'dot' ? sameDot : arg.type === 'variable' && arg.name === '$' && arg.path.length === 0;
}
