import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { KUBERNETES_SCHEMA } from '../kubernetes-yaml.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { ConfigIssue } from '../sdk/config.ts';

/** A parsed configuration file that can locate issues in its text. */
export interface ConfigDocument {
  readonly content: unknown;
  /** One line: file, line, key and message. */
  describe(issue: ConfigIssue): string;
}

/** Parses YAML as kubectl does, so that an overlay means what it would mean in a manifest. Throws an error that names `file` and the line. */
export function parseConfigDocument(text: string, file: string): ConfigDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: KUBERNETES_SCHEMA });
  const [error] = document.errors;
  if (error !== undefined) {
    const message =
      error.code === 'MULTIPLE_DOCS' ? 'expected one document' : error.message.split(/ at line |\n/)[0];
    throw new PodgraftError('CONFIG_INVALID', `${file}:${error.linePos?.[0].line ?? 1}: ${message}`);
  }
  checkKeys(document, lines, file);
  return {
    content: contentOf(document, lines, file),
    describe({ path, message }) {
      const key = path.length === 0 ? '' : `${path.join('.')}: `;
      return `${file}:${lines.linePos(offsetOf(document, path)).line}: ${key}${message}`;
    },
  };
}

/** No key of a configuration is meant as the boolean or number that YAML reads: a variable called `n` would be called `false`. */
function checkKeys(document: Document, lines: LineCounter, file: string): void {
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.type !== 'PLAIN' || typeof key.value === 'symbol') return;
      const name = String(key.value ?? '');
      if (name === key.source) return;
      const { line } = lines.linePos(key.range?.[0] ?? 0);
      const message = `the key ${key.source} is read as "${name}": use quotes`;
      throw new PodgraftError('CONFIG_INVALID', `${file}:${line}: ${message}`);
    },
  });
}

function contentOf(document: Document, lines: LineCounter, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    // An unresolved alias, or excessive expansion. The library does not report where.
    let line = 1;
    visit(document, {
      Alias(_, alias) {
        line = lines.linePos(alias.range?.[0] ?? 0).line;
        return alias.resolve(document) === undefined ? visit.BREAK : undefined;
      },
    });
    throw new PodgraftError('CONFIG_INVALID', `${file}:${line}: ${(cause as Error).message}`, { cause });
  }
}

/** Offset of the key or item at a path, or of its nearest parent if it is missing. */
function offsetOf(document: Document, path: ConfigIssue['path']): number {
  let node: unknown = document.contents;
  let offset = (node as Node | null)?.range?.[0] ?? 0;
  for (const segment of path) {
    const child = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment))
      : isSeq(node) && node.items[Number(segment)];
    if (!child) break;
    offset = ((isPair(child) ? child.key : child) as Node).range?.[0] ?? offset;
    node = isPair(child) ? child.value : child;
  }
  return offset;
}
