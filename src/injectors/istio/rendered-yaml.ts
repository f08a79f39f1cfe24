import { parseDocument, type ScalarTag } from 'yaml';
import type { Json } from '../../json/json.ts';
import { plainYaml } from './plain-yaml.ts';

/** YAML of the plain kind is read fast, any other in full. */
export function parseYaml(text: string): Json | undefined {
  const plain = plainYaml(text);
  return plain === undefined ? parseFully(text) : plain;
}

/** YAML 1.1 as Go's sigs.k8s.io/yaml reads it into JSON: the last of a repeated key counts, dates stay strings. */
export function parseFully(text: string): Json | undefined {
  const document = parseDocument(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    customTags: (tags) => [OCTAL, ...tags.filter((tag) => !isForeign(tag)).map(exactFloat)],
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(error.message);
  return (document.toJS() ?? null) as Json;
}

/** As YAML 1.2 writes them. Go's readers take them in 1.1, too, beside those that start with a zero alone. */
const OCTAL: ScalarTag = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => Number.parseInt(text.replace(/0o|_/g, ''), 8),
};

/** Numbers to the base of 60 and timestamps: YAML 1.1 has them, Go's readers leave them strings. */
function isForeign(tag: unknown): boolean {
  if (typeof tag !== 'object' || tag === null) return false;
  const { format, tag: name } = tag as { format?: string; tag?: string };
  return format === 'TIME' || name === 'tag:yaml.org,2002:timestamp';
}

/** To this library `e0` is a number; to Go there must be a digit before the exponent. */
function exactFloat<T>(tag: T): T {
  const isExponent = typeof tag === 'object' && tag !== null && 'format' in tag && tag.format === 'EXP';
  return isExponent ? { ...tag, test: /^[-+]?(\.\d+|\d[\d_]*(\.[\d_]*)?)[eE][-+]?\d+$/ } : tag;
}
