import { parseAllDocuments } from 'yaml';
import { type FileSource, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../sdk/index.ts';

export const POLICY_KINDS: readonly string[] = [
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicy',
].flatMap((kind) => [kind, `${kind}Binding`]);

/** A file of policies and bindings, as YAML or JSON. */
export interface PolicyFile extends FileSource<readonly JsonObject[]> {
  /** The last parsed content, for `problems`. */
  current: readonly JsonObject[];
}

export function policyFile(path: string): PolicyFile {
  const file: PolicyFile = {
    path,
    current: [],
    parse(text) {
      file.current = parsePolicies(text);
      return file.current;
    },
  };
  return file;
}

function parsePolicies(text: string): readonly JsonObject[] {
  const documents = parseAllDocuments(text);
  return ('empty' in documents ? [] : documents).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const value = document.toJS() as Json;
    if (value === null) return [];
    return isJsonObject(value) && value.kind === 'List' && isJsonArray(value.items)
      ? value.items.map(policyIn)
      : [policyIn(value)];
  });
}

function policyIn(value: Json): JsonObject {
  if (isJsonObject(value) && POLICY_KINDS.includes(String(value.kind))) return value;
  const kind = isJsonObject(value) ? String(value.kind) : typeof value;
  throw new TypeError(`expected ${POLICY_KINDS.join(', ')}, found ${kind}`);
}
