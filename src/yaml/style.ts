import { columnOf } from './text-lines.ts';
import { isCollection, type YamlDocument, type YamlNode } from './yaml-tree.ts';

/** How a document is formatted, so that new text matches the text around it. */
export interface Style {
  readonly eol: '\n' | '\r\n';
  /** Columns from a key to the map below it. */
  readonly step: number;
  /** Columns from a key to the dashes below it. */
  readonly seqStep: number;
  readonly singleQuote: boolean;
  /** Whether flow maps are written as `{ a: 1 }`. */
  readonly padding: boolean;
}

/** The formatting that is most frequent in a document. */
export function styleOf({ text, root }: YamlDocument): Style {
  const steps = { map: new Map<number, number>(), seq: new Map<number, number>() };
  let singles = 0;
  let padded = 0;
  const count = (node: YamlNode): void => {
    if (node.kind === 'scalar')
      singles += node.type === 'QUOTE_SINGLE' ? 1 : node.type === 'QUOTE_DOUBLE' ? -1 : 0;
    if (!isCollection(node)) return;
    const { kind, isFlow, entries, start } = node;
    if (kind === 'map' && isFlow && entries.length > 0) padded += text[start + 1] === ' ' ? 1 : -1;
    for (const { node: child } of kind === 'map' && !isFlow ? entries : []) {
      if (!isCollection(child) || child.isFlow) continue;
      const step = columnOf(text, child.start) - columnOf(text, start);
      steps[child.kind].set(step, (steps[child.kind].get(step) ?? 0) + 1);
    }
    for (const { key, node: child } of entries) {
      if (key !== undefined) count(key);
      count(child);
    }
  };
  count(root);
  const step = mostFrequent(steps.map) ?? 2;
  return {
    eol: /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n',
    step,
    seqStep: mostFrequent(steps.seq) ?? step,
    singleQuote: singles > 0,
    padding: padded > 0,
  };
}

function mostFrequent(votes: ReadonlyMap<number, number>): number | undefined {
  return [...votes].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
