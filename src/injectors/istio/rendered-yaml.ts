import { parseDocument } from 'yaml';
import type { Json } from '../../json/json.ts';

/** YAML 1.1 as Go's sigs.k8s.io/yaml reads it into JSON: the last of a repeated key counts, dates stay strings. */
export function parseYaml(text: string): Json | undefined {
  const document = parseDocument(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    customTags: (tags) => tags.filter((tag) => !isForeign(tag)),
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(error.message);
  return (document.toJS() ?? null) as Json;
}

/** Numbers to the base of 60 and timestamps: YAML 1.1 has them, Go's readers leave them strings. */
function isForeign(tag: unknown): boolean {
  if (typeof tag !== 'object' || tag === null) return false;
  const { format, tag: name } = tag as { format?: string; tag?: string };
  return format === 'TIME' || name === 'tag:yaml.org,2002:timestamp';
}

const KEPT = 64;
const parsed = new Map<string, Json | undefined>();

/** Pods of one workload render to the same text: the last few are remembered. Nobody changes what they share. */
export function parseRendered(text: string): Json | undefined {
  const known = parsed.get(text);
  if (known !== undefined) {
    parsed.delete(text);
    parsed.set(text, known);
    return known;
  }
  const value = parseYaml(text);
  parsed.set(text, value);
  if (parsed.size > KEPT) parsed.delete(parsed.keys().next().value as string);
  return value;
}
