import { isMap, isSeq, visit } from 'yaml';
import type { Source } from './source.ts';

/** How a document is written, so that new text looks like its surroundings. */
export interface Style {
  readonly eol: '\n' | '\r\n';
  /** Columns from a key to the map below it. */
  readonly step: number;
  /** Columns from a key to the dashes below it. */
  readonly seqStep: number;
  readonly singleQuote: boolean;
  /** Whether flow maps are written `{ a: 1 }`. */
  readonly padding: boolean;
}

export function styleOf({ text, document }: Source): Style {
  const steps = new Map<number, number>();
  const seqSteps = new Map<number, number>();
  let singles = 0;
  let padded = 0;
  visit(document, {
    Scalar(_, { type }) {
      if (type === 'QUOTE_SINGLE') singles += 1;
      if (type === 'QUOTE_DOUBLE') singles -= 1;
    },
    Map(_, map) {
      const indent = blockIndent(map);
      if (indent === undefined) {
        if (map.items.length > 0) padded += text[(map.range?.[0] ?? 0) + 1] === ' ' ? 1 : -1;
        return;
      }
      for (const { value } of map.items) {
        const below = blockIndent(value);
        if (below === undefined) continue;
        const votes = isSeq(value) ? seqSteps : steps;
        votes.set(below - indent, (votes.get(below - indent) ?? 0) + 1);
      }
    },
  });
  const step = mostVoted(steps) ?? 2;
  return {
    eol: /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n',
    step,
    seqStep: mostVoted(seqSteps) ?? step,
    singleQuote: singles > 0,
    padding: padded > 0,
  };
}

function blockIndent(node: unknown): number | undefined {
  if (!isMap(node) && !isSeq(node)) return undefined;
  const token = node.srcToken;
  return token?.type === 'block-map' || token?.type === 'block-seq' ? token.indent : undefined;
}

function mostVoted(votes: ReadonlyMap<number, number>): number | undefined {
  return [...votes].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
