import { Lexer } from 'yaml';

/**
 * Users write some of the YAML that is parsed here, and a full parser takes superlinear time, or overflows the stack, for some
 * shapes. Limits are far above real ones.
 */
export interface YamlLimits {
  readonly characters: number;
  /** Words, punctuation, spaces and line ends, of YAML that is not plain. */
  readonly tokens: number;
}

/** Istio's own template renders about 3,000 tokens. */
export const DOCUMENT_LIMITS: YamlLimits = { characters: 4 * 1024 * 1024, tokens: 20_000 };

/** The API server allows 256 KiB for all annotations of an object. */
export const ANNOTATION_LIMITS: YamlLimits = { characters: 64 * 1024, tokens: 2_000 };

export const MOST_NESTED = 100;
const MOST_ALIASES = 100;

/** Why a text must not be parsed; undefined if it may. Checks only tokens, and stops at the first problem. */
export function yamlLimitProblem(text: string, limits: YamlLimits): string | undefined {
  if (indentationDepth(text) > MOST_NESTED) return TOO_NESTED;
  const counts = { tokens: 0, flow: 0, dashes: 0, aliases: 0 };
  let last = '';
  for (const token of new Lexer().lex(text)) {
    if (++counts.tokens > limits.tokens) return `more than ${limits.tokens} tokens`;
    const first = token[0] ?? '';
    switch (first) {
      case ' ':
      case '\t':
        continue;
      case '[':
      case '{':
        if (++counts.flow > MOST_NESTED) return TOO_NESTED;
        break;
      case ']':
      case '}':
        counts.flow--;
        break;
      case '-':
        if (token === '-' && ++counts.dashes > MOST_NESTED) return TOO_NESTED;
        break;
      case '\n':
      case '\r':
        counts.dashes = 0;
        break;
      case '?':
        if (token === '?') return COMPLEX_KEY;
        break;
      case ':':
        if (token === ':' && (last === ']' || last === '}')) return COMPLEX_KEY;
        break;
      case '&':
      case '*':
        if (++counts.aliases > MOST_ALIASES) return `more than ${MOST_ALIASES} anchors and aliases`;
        break;
    }
    last = first;
  }
  return undefined;
}

const TOO_NESTED = `nested more than ${MOST_NESTED} levels deep`;
const COMPLEX_KEY = 'a collection or "?" as a key';

/** An upper bound: lines of block scalars count, too. */
function indentationDepth(text: string): number {
  const open: number[] = [];
  let deepest = 0;
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('\n', start);
    const stop = next < 0 ? text.length : next;
    let content = start;
    while (content < stop && text.charCodeAt(content) === SPACE) content++;
    if (content < stop) {
      const indent = content - start;
      while (open.length > 0 && (open.at(-1) as number) >= indent) open.pop();
      deepest = Math.max(deepest, open.push(indent));
    }
    start = stop + 1;
  }
  return deepest;
}

const SPACE = 0x20;
