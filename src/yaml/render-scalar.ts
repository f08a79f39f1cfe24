import { Document, type Node, Scalar, YAMLSeq } from 'yaml';
import { PRINT_OPTIONS } from '../kubernetes-yaml.ts';
import type { Edit } from './edit.ts';
import type { NewNode } from './patch-tree.ts';
import { resolveAlias, type YamlNode, type YamlScalar } from './yaml-tree.ts';

/** The text of a scalar. Lines below the first, which only block scalars have, are not indented. */
export function renderScalar(
  edit: Edit,
  node: YamlScalar | NewNode,
  inFlow: boolean,
  type = node.kind === 'scalar' ? node.type : undefined,
): string {
  const { value } = node;
  if (typeof value === 'string') return renderString(edit, value, inFlow, type);
  // JavaScript would print numbers such as 1.10 and 12345678901234567890 differently.
  const source = type === 'PLAIN' && node.kind === 'scalar' ? edit.text.slice(node.start, node.end) : '';
  return source === '' ? JSON.stringify(value) : source;
}

/** The text of a key, with the quotes of the key that it copies. */
export function renderKey(edit: Edit, name: string, key: YamlNode | undefined, inFlow: boolean): string {
  const source = key && resolveAlias(key);
  const type = name.includes('\n') ? 'QUOTE_DOUBLE' : 'PLAIN';
  if (source?.kind !== 'scalar') return renderString(edit, name, inFlow, type);
  return renderScalar(edit, source, inFlow, source.type?.startsWith('QUOTE') ? source.type : type);
}

function renderString(edit: Edit, value: string, inFlow: boolean, type?: Scalar.Type): string {
  const needsQuotes = !canBeUnquoted(value) || (inFlow && value.includes('\n'));
  if (!needsQuotes && (type ?? 'PLAIN') === 'PLAIN' && isWord(value)) return value;
  const scalar = new Scalar(value);
  if (needsQuotes) scalar.type = 'QUOTE_DOUBLE';
  else if (type !== undefined) scalar.type = type;
  const seq = new YAMLSeq();
  seq.flow = inFlow;
  seq.items.push(scalar);
  PRINTER.contents = seq;
  const text = PRINTER.toString({
    blockQuote: 'literal',
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: false,
    lineWidth: 0,
    minContentWidth: 0,
    singleQuote: edit.style.singleQuote ? true : null,
  });
  return inFlow
    ? text.trim().slice(1, -1)
    : text.replace(/\n$/, '').slice('- '.length).replaceAll('\n  ', '\n');
}

/** One document prints all strings, since creating its schema takes longer than printing. */
const PRINTER = new Document<Node>(null, { ...PRINT_OPTIONS, logLevel: 'error' });

/**
 * A block scalar needs an indentation indicator for leading spaces, needs `+` for several final newlines (and would then
 * include the blank lines that follow it), and cannot contain other line breaks: such strings are quoted. So are `=` and
 * `<<`, which are special in YAML 1.1.
 */
function canBeUnquoted(value: string): boolean {
  if (/[\r\u0085\u2028\u2029\uFEFF]|^=$|^<<$/.test(value)) return false;
  return !value.includes('\n') || !/^\n*[ \t]|^\s*$|[ \t\n]\n$|[ \t]$/.test(value);
}

/** Whether a string never needs quotes. Most strings are of this kind, and the library takes 20 µs to find out. */
function isWord(value: string): boolean {
  return /^[a-z][\w./-]*$/i.test(value) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(value);
}
