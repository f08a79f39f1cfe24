import { Document, type Node, type Scalar, type ScalarTag, YAMLSeq } from 'yaml';
import type { Style } from './style.ts';

/** A scalar as it stands in block style, its comment behind it; the lines below the first are not indented. */
export function scalarText(scalar: Scalar, style: Style): string {
  const seq = new YAMLSeq();
  seq.items.push(withoutLines(scalar));
  return print(seq, style).replace(/\n$/, '').slice('- '.length).replaceAll('\n  ', '\n');
}

/** A scalar as it stands in flow style, without its comment. */
export function flowScalarText(scalar: Scalar, style: Style): string {
  const bare = withoutLines(scalar);
  delete bare.comment;
  if (typeof bare.value === 'string' && bare.value.includes('\n')) bare.type = 'QUOTE_DOUBLE';
  const seq = new YAMLSeq();
  seq.flow = true;
  seq.items.push(bare);
  return print(seq, { ...style, padding: false })
    .trim()
    .slice(1, -1);
}

function print(node: Node, style: Style): string {
  PRINTER.contents = node;
  return stringify(PRINTER, style);
}

/** Prints a document in a style; nothing is folded. */
export function stringify(document: Document, style: Style): string {
  return document.toString({
    blockQuote: 'literal',
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: style.padding,
    indent: style.step,
    indentSeq: style.seqStep > 0,
    lineWidth: 0,
    minContentWidth: 0,
    singleQuote: style.singleQuote ? true : null,
  });
}

/** Strings that readers of YAML 1.1 take for something else are quoted: Kubernetes' own is one. */
export const WRITE_OPTIONS = {
  compat: 'yaml-1.1',
  customTags: keepNumbers,
  logLevel: 'error',
  resolveKnownTags: false,
} as const;

/** One document prints all scalars: to make its schema takes longer than to print. */
const PRINTER = new Document<Node>(null, WRITE_OPTIONS);

/** Numbers are written as they were: 1.10 and 12345678901234567890 are not what JavaScript would print. */
function keepNumbers(tags: readonly unknown[]): ScalarTag[] {
  // The core schema's tags; those of scalars are told by their names.
  return (tags as ScalarTag[]).map((tag) => {
    if (tag.tag !== 'tag:yaml.org,2002:int' && tag.tag !== 'tag:yaml.org,2002:float') return tag;
    return {
      ...tag,
      stringify: (item: Scalar, ...rest) =>
        item.source ?? tag.stringify?.(item, ...rest) ?? String(item.value),
    };
  });
}

function withoutLines(scalar: Scalar): Scalar {
  // A clone of a scalar is one.
  const bare = scalar.clone() as Scalar;
  delete bare.commentBefore;
  delete bare.spaceBefore;
  return bare;
}
