import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isScalar,
  type Pair,
  type ParsedNode,
  Parser,
  visit,
} from 'yaml';
import type { Json } from '../json/json.ts';
import { isSyntaxTooDeep } from './nesting.ts';
import { YamlInvalid } from './yaml-invalid.ts';

/** One YAML document: its text, its nodes with their places in the text, and what it says. */
export interface Source {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly value: Json;
  readonly aliases: readonly Alias.Parsed[];
}

export type SourcePair = Pair<ParsedNode, ParsedNode | null>;

/** Parses one document; `line` is where it begins in its file, for errors. */
export function parseSource(text: string, line = 1): Source {
  try {
    const document = compose(text, line);
    const [error] = document.errors;
    if (error !== undefined) throw invalid(text, line, error.pos[0], error.message);
    const aliases = inspect(text, line, document);
    // The tags that would give anything but JSON are not resolved, and keys are checked to be scalars.
    const value: Json = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { text, document, value, aliases };
  } catch (cause) {
    throw cause instanceof YamlInvalid ? cause : new YamlInvalid(line, messageOf(cause), { cause });
  }
}

/** What `parseDocument` does, with a look at the depth before anything recurses. */
function compose(text: string, line: number): Document.Parsed {
  const tokens = [...new Parser().parse(text)];
  if (tokens.some(isSyntaxTooDeep)) throw invalid(text, line, 0, 'nested too deeply');
  const [document, next] = new Composer(PARSE_OPTIONS).compose(tokens, true, text.length);
  if (document === undefined || next !== undefined) {
    throw invalid(text, line, next?.range[0] ?? 0, 'expected one document');
  }
  return document;
}

/**
 * YAML 1.2, where `yes` is a string, with the merge keys of 1.1, which Kubernetes' own reader knows too.
 * Keys are compared in `inspect`: the library's own check compares every key with every other.
 */
const PARSE_OPTIONS = {
  keepSourceTokens: true,
  logLevel: 'error',
  merge: true,
  prettyErrors: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

/** How often aliases may repeat what they stand for, all levels multiplied: more is an attack ("billion laughs"). */
const MAX_ALIASES = 1000;

/** A map's key as JSON has it. */
export function keyText(key: ParsedNode, document: Document.Parsed): string {
  const node = isAlias(key) ? key.resolve(document) : key;
  return isScalar(node) ? (node.value === null ? '' : String(node.value)) : '';
}

/** The library gives `<<` a symbol for a value, so that no string equals it. */
export function isMergePair(pair: SourcePair): boolean {
  return isScalar(pair.key) && typeof pair.key.value === 'symbol';
}

function inspect(text: string, line: number, document: Document.Parsed): Alias.Parsed[] {
  const aliases: Alias.Parsed[] = [];
  visit(document, {
    Alias(_, alias) {
      // Parsed nodes have a range; the type of the visitor does not say so.
      aliases.push(alias as Alias.Parsed);
    },
    Map(_, map) {
      const keys = new Set<string>();
      for (const pair of map.items as SourcePair[]) {
        if (isMergePair(pair)) continue;
        const at = pair.key.range[0];
        const node = isAlias(pair.key) ? pair.key.resolve(document) : pair.key;
        if (!isScalar(node)) throw invalid(text, line, at, 'a key must be a scalar');
        const key = keyText(pair.key, document);
        if (keys.has(key)) throw invalid(text, line, at, `duplicate key "${key}"`);
        keys.add(key);
      }
    },
  });
  return aliases;
}

function invalid(text: string, firstLine: number, offset: number, why: string): YamlInvalid {
  return new YamlInvalid(firstLine + text.slice(0, offset).split('\n').length - 1, why);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
