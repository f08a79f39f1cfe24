import {
  Composer,
  type Document,
  LineCounter,
  Parser,
  type ScalarTag,
  stringify,
  type Tags,
  visit,
  type YAMLParseError,
} from 'yaml';
import type { Json } from '../../../sdk/index.ts';
import { plainYaml } from './plain-yaml.ts';
import { DOCUMENT_LIMITS, type YamlLimits, yamlLimitProblem } from './yaml-limits.ts';

/** Parses YAML: quickly if it is plain, else with a full parser. Throws if it is invalid or exceeds a limit. */
export function parseYaml(text: string, limits: YamlLimits = DOCUMENT_LIMITS): Json | undefined {
  if (text.length > limits.characters) throw new Error(`more than ${limits.characters} characters`);
  const plain = plainYaml(text);
  if (plain !== undefined) return plain;
  const problem = yamlLimitProblem(text, limits);
  if (problem !== undefined) throw new Error(problem);
  return parseFully(text);
}

/** YAML 1.1 as Go's sigs.k8s.io/yaml converts it to JSON: the last of duplicate keys wins, dates are strings. */
export function parseFully(text: string): Json | undefined {
  const lines = new LineCounter();
  const composer = new Composer({ ...SCHEMA, uniqueKeys: false, logLevel: 'silent' });
  let document: Document | undefined;
  for (const each of composer.compose(new Parser(lines.addNewLine).parse(text), true, text.length)) {
    if (document !== undefined) throw new Error('more than one document');
    const [error] = each.errors;
    if (error !== undefined) throw new Error(errorText(error, lines));
    document = each;
  }
  if (document !== undefined && !text.endsWith('\n')) dropFinalBreak(document, text.length);
  return (document?.toJS() ?? null) as Json;
}

/** The library ends a block scalar with a line break even if the text ends without one. */
function dropFinalBreak(document: Document, end: number): void {
  visit(document, {
    Scalar(_, node) {
      const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
      const isLast = isBlock && (node.range?.[1] ?? 0) >= end;
      if (isLast && typeof node.value === 'string') node.value = node.value.replace(/\n$/, '');
    },
  });
}

/** The library's `parseDocument` extends the message of every error by the text around it, in quadratic time. */
function errorText({ message, pos }: YAMLParseError, lines: LineCounter): string {
  const { line, col } = lines.linePos(pos[0]);
  return line === 0 ? message : `${message} at line ${line}, column ${col}`;
}

/** Writes YAML in the layout of sigs.k8s.io/yaml: block style, lists not indented under their key. */
export function yamlText(value: Json): string {
  return stringify(value, { ...SCHEMA, indentSeq: false, lineWidth: 0, blockQuote: false });
}

/** Octal numbers of YAML 1.2, which Go accepts in 1.1 too. */
const OCTAL: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => Number.parseInt(text.replace(/0o|_/g, ''), 8),
};

const SCHEMA = {
  version: '1.1',
  merge: true,
  customTags: (tags: Tags) => [OCTAL, ...tags.filter((tag) => !isString(tag)).map(exactFloat)],
} as const;

/** Sexagesimal numbers and timestamps, which are strings to Go. */
function isString(tag: unknown): boolean {
  if (typeof tag !== 'object' || tag === null) return false;
  const { format, tag: name } = tag as { format?: string; tag?: string };
  return format === 'TIME' || name === 'tag:yaml.org,2002:timestamp';
}

/** The library reads `e0` and `.` as numbers. Go requires a digit, and before an exponent, too. */
function exactFloat<T>(tag: T): T {
  if (typeof tag !== 'object' || tag === null || !('test' in tag) || !(tag.test instanceof RegExp))
    return tag;
  if ('format' in tag && tag.format === 'EXP')
    return { ...tag, test: /^[-+]?(\.\d+|\d[\d_]*(\.[\d_]*)?)[eE][-+]?\d+$/ };
  return tag.test.test('.') ? { ...tag, test: /^[-+]?(\d[\d_]*\.[\d_]*|\._*\d[\d_]*)$/ } : tag;
}
