import { LineCounter, parseAllDocuments } from 'yaml';
import { type FileSource, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../sdk/index.ts';

export const POLICY_KINDS: readonly string[] = [
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicy',
].flatMap((kind) => [kind, `${kind}Binding`]);

/** A file of policies and bindings, as YAML or JSON. */
export type PolicyFile = FileSource<Policies>;

interface Policies {
  readonly objects: readonly JsonObject[];
  /** The line of each object's document. */
  readonly lines: readonly number[];
}

export function policyFile(path: string): PolicyFile {
  return { path, parse: parsePolicies };
}

function parsePolicies(text: string): Policies {
  const objects: JsonObject[] = [];
  const lines: number[] = [];
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter });
  for (const document of 'empty' in documents ? [] : documents) {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const value = document.toJS() as Json;
    if (value === null) continue;
    const { line } = lineCounter.linePos(document.contents?.range[0] ?? 0);
    const policies =
      isJsonObject(value) && value.kind === 'List' && isJsonArray(value.items) ? value.items : [value];
    for (const policy of policies) {
      objects.push(policyIn(policy));
      lines.push(line);
    }
  }
  return { objects, lines };
}

function policyIn(value: Json): JsonObject {
  if (isJsonObject(value) && POLICY_KINDS.includes(String(value.kind))) return value;
  const kind = isJsonObject(value) ? String(value.kind) : typeof value;
  throw new TypeError(`expected ${POLICY_KINDS.join(', ')}, found ${kind}`);
}
