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
