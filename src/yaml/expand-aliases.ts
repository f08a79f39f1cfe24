import { isAlias, isCollection, type ParsedNode, visit } from 'yaml';
import { aliased, type Draft } from './draft.ts';
import { renderFlow } from './render-flow.ts';
import type { Source } from './source.ts';
import { styleOf } from './style.ts';
import { toNode } from './to-node.ts';

/**
 * Writes what they stand for in place of the aliases of what a draft changes, so that it can change without them.
 * In flow style, which may stand wherever an alias may. Without a draft, all aliases are written out.
 */
export function expandAliases(source: Source, draft?: Draft): string {
  const style = styleOf(source);
  const flow = { json: false, colon: ': ', comma: ', ', lines: false } as const;
  const intact = draft === undefined ? new Set<unknown>() : intactNodes(draft);
  let { text } = source;
  for (const alias of source.aliases.toReversed()) {
    if (intact.has(aliased(source.document, alias))) continue;
    const node = toNode(source.document, { kind: 'kept', node: alias });
    const [start, end] = alias.range;
    text = text.slice(0, start) + renderFlow(node, '', flow, style) + text.slice(end);
  }
  return text;
}

/** The nodes that a draft keeps with all that is in them. */
function intactNodes(draft: Draft): Set<unknown> {
  const intact = new Set<unknown>();
  const keep = (node: ParsedNode | null): void => {
    if (isCollection(node)) visit(node, { Node: (_, child) => void intact.add(child) });
    else if (!isAlias(node)) intact.add(node);
  };
  const walk = (part: Draft): void => {
    if (part.kind === 'kept') keep(part.node);
    if (part.kind === 'map') for (const entry of part.entries.values()) walk(entry);
    if (part.kind === 'seq') for (const item of part.items) walk(item.draft);
  };
  walk(draft);
  return intact;
}
