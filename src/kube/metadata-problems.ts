import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { isObjectName } from './object-name.ts';

export interface MetadataProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** Labels and annotations that the API server rejects (apimachinery: IsQualifiedName, IsValidLabelValue). */
export function metadataProblems({ labels, annotations }: JsonObject): MetadataProblem[] {
  return [
    ...problemsIn('labels', labels, (key, value) => keyProblem(key) ?? valueProblem(value)),
    ...problemsIn('annotations', annotations, (key) => keyProblem(key.toLowerCase())),
  ];
}

function problemsIn(
  field: string,
  members: Json | undefined,
  check: (key: string, value: string) => string | undefined,
): MetadataProblem[] {
  const problems: MetadataProblem[] = [];
  if (!isJsonObject(members)) return problems;
  for (const key in members) {
    const value = members[key];
    const message = typeof value === 'string' ? check(key, value) : undefined;
    if (message !== undefined) problems.push({ path: [field, key], message });
  }
  return problems;
}

function keyProblem(key: string): string | undefined {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  if (NAME.test(key.slice(slash + 1)) && (prefix === undefined || isObjectName(prefix))) return undefined;
  return 'expected a key like "name" or "example.com/name"';
}

function valueProblem(value: string): string | undefined {
  if (value === '' || NAME.test(value)) return undefined;
  return `expected at most 63 letters, digits, "-", "_" and ".", found ${JSON.stringify(value)}`;
}

const NAME = /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
