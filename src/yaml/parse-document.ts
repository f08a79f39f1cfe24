import { Composer, type CST, type Document, Parser } from 'yaml';
import type { Json } from '../json/json.ts';
import { KUBERNETES_SCHEMA } from '../kubernetes-yaml.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { buildTree } from './build-tree.ts';
import { splitDocuments } from './split-documents.ts';
import { positionAt, type TextPosition } from './text-position.ts';
import type { YamlDocument } from './yaml-tree.ts';

/** Text that is not YAML, or YAML that has no equivalent in JSON. */
export class YamlInvalid extends PodgraftError {
  readonly line: number;
  readonly column: number;
  readonly why: string;

  constructor({ line, column }: TextPosition, why: string) {
    super('INPUT_INVALID', `Cannot read YAML: line ${line}: ${why}`);
    this.line = line;
    this.column = column;
    this.why = why;
  }
}

/** Parses a stream of YAML or JSON documents. */
export function parseDocuments(stream: string): YamlDocument[] {
  return splitDocuments(stream).map(({ text, line }) => parseDocument(text, line));
}

/** Parses the text of one document; `line` is its first line in the file, for error messages. */
export function parseDocument(text: string, line = 1): YamlDocument {
  const invalid = (offset: number, why: string): YamlInvalid =>
    new YamlInvalid(positionAt(text, offset, line), why);
  const { root, aliases, keepScalars } = buildTree(text, compose(text, invalid).contents, invalid);
  if (aliases.length > 0 && isTooLarge(root.value, MAX_NODES))
    throw invalid(0, 'too large with its aliases resolved');
  return { text, line, value: root.value, root, aliases, keepScalars };
}

/** Like the library's `parseDocument`, but rejects deep nesting before any function recurses. */
function compose(text: string, invalid: (offset: number, why: string) => YamlInvalid): Document.Parsed {
  const tokens = withoutEnvironment(() => [...new Parser().parse(text)]);
  if (tokens.some((token) => token.type === 'document' && isTokenTooDeep(token.value, MAX_DEPTH)))
    throw invalid(0, 'nested too deeply');
  const [document, next] = new Composer(PARSE_OPTIONS).compose(tokens, true, text.length);
  if (document === undefined || next !== undefined)
    throw invalid(next?.range[0] ?? 0, 'expected one document');
  const [error] = document.errors;
  if (error !== undefined) throw invalid(error.pos[0], error.message);
  return document;
}

/**
 * The library reads `process.env.LOG_TOKENS` for every token, and every read of the real `process.env` is a lookup in the environment
 * of the process: that is a fifth of the parsing time.
 */
function withoutEnvironment<T>(run: () => T): T {
  const { env } = process;
  process.env = {};
  try {
    return run();
  } finally {
    process.env = env;
  }
}

/** `uniqueKeys` is off because the library compares every key with every other; `buildTree` finds duplicates in linear time. */
const PARSE_OPTIONS = {
  keepSourceTokens: true,
  logLevel: 'error',
  prettyErrors: false,
  schema: KUBERNETES_SCHEMA,
  uniqueKeys: false,
} as const;

/**
 * The maximum number of nested collections: far more than any manifest has, and far less than what exhausts the stack. A full
 * stack can end the process instead of throwing, since V8 treats a RegExp compiled there as "out of memory".
 */
const MAX_DEPTH = 500;

function isTokenTooDeep(token: CST.Token | null | undefined, limit: number): boolean {
  if (!token || !('items' in token)) return false;
  if (limit === 0) return true;
  for (const { key, value } of token.items)
    if (isTokenTooDeep(key, limit - 1) || isTokenTooDeep(value, limit - 1)) return true;
  return false;
}

/** Whether a value is nested too deeply or has too many collections. */
export function isTooLarge(value: Json, maxNodes = Number.POSITIVE_INFINITY): boolean {
  let nodes = 0;
  const exceeds = (part: Json, limit: number): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    nodes += 1;
    return nodes > maxNodes || limit === 0 || Object.values(part).some((child) => exceeds(child, limit - 1));
  };
  return exceeds(value, MAX_DEPTH);
}

/** The maximum number of collections with all aliases resolved, against "billion laughs" attacks. */
const MAX_NODES = 1_000_000;
