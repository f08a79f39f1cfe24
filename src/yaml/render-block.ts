import type { Scalar } from 'yaml';
import type { Edit } from './edit.ts';
import { contentOf, isPatched, type PatchedCollection, type PatchedNode, sourceOf } from './patch-tree.ts';
import { INLINE_FLOW, renderFlow } from './render-flow.ts';
import { renderKey, renderScalar } from './render-scalar.ts';
import { effectiveEntries, type Notes, resolveAlias, type YamlNode } from './yaml-tree.ts';

/**
 * The lines of the value of a key in the given column. The first follows the indicator and is empty for a block collection; the
 * others are indented. `type` is the style of a scalar if it is not its own.
 */
export function renderValue(edit: Edit, node: PatchedNode, column: number, type?: Scalar.Type): string[] {
  const { step, seqStep } = edit.style;
  const block = blockOf(node);
  if (block === undefined) return renderInline(edit, node, column + step, type);
  return ['', ...renderLines(edit, node, column + (block.kind === 'patched-seq' ? seqStep : step))];
}

/** The lines of an item. The first follows its dash; `column` is that of the item, not of the dash. */
export function renderItem(edit: Edit, node: PatchedNode, column: number, type?: Scalar.Type): string[] {
  if (blockOf(node) === undefined) return renderInline(edit, node, column, type);
  const [first = '', ...below] = renderLines(edit, node, column);
  return [first.trimStart(), ...below];
}

/** The lines of a key, which may be a copy of another, and its value. The first is not indented. */
export function renderPair(
  edit: Edit,
  name: string,
  key: YamlNode | undefined,
  node: PatchedNode,
  column: number,
): string[] {
  const [first = '', ...below] = renderValue(edit, node, column);
  return [renderKey(edit, name, key, false) + (first === '' ? ':' : `: ${first}`), ...below];
}

/** The lines of a node that begins on its own line. */
export function renderLines(edit: Edit, node: PatchedNode, column: number): string[] {
  const indent = ' '.repeat(column);
  const block = blockOf(node);
  if (block === undefined) {
    const [first = '', ...below] = renderInline(edit, node, column);
    return [indent + first, ...below];
  }
  const old = block.source && effectiveEntries(block.source);
  const lines =
    block.kind === 'patched-seq'
      ? block.items.flatMap((item) => {
          const [first = '', ...below] = renderItem(edit, item.node, column + 2);
          return [...linesBefore(edit, item.node, indent), `${indent}-${first && ` ${first}`}`, ...below];
        })
      : [...block.entries].flatMap(([name, child]) => {
          const key = old?.get(name)?.key;
          const [first = '', ...below] = renderPair(edit, name, key, child, column);
          const comments = linesBefore(edit, child, indent);
          // A comment between a key and the lines of a block scalar would become part of the scalar.
          const head = blockOf(child) ? [indent + first, ...comments] : [...comments, indent + first];
          return [...(key ? linesBefore(edit, key, indent) : []), ...head, ...below];
        });
  return [...lines, ...commentLines(notesOf(edit, node)?.comment, indent)];
}

/** The collection that a node is, if it is printed in block style. */
function blockOf(node: PatchedNode): PatchedCollection | undefined {
  const content = contentOf(node);
  if (!isPatched(content) || content.source?.isFlow) return undefined;
  const size = content.kind === 'patched-map' ? content.entries.size : content.items.length;
  return size === 0 ? undefined : content;
}

/** The lines of a scalar or a flow collection. */
function renderInline(edit: Edit, node: PatchedNode, column: number, type?: Scalar.Type): string[] {
  const content = contentOf(node);
  const text = isPatched(content)
    ? renderFlow(edit, node, '', INLINE_FLOW)
    : renderScalar(edit, content, false, type);
  const comment = notesOf(edit, node)?.comment;
  const [first = '', ...below] = text.split('\n');
  return [
    comment === undefined ? first : `${first} #${comment.replaceAll('\n', ' ')}`,
    ...below.map((line) => (line === '' ? '' : ' '.repeat(column) + line)),
  ];
}

/** The comments to print with a node. A moved node leaves some at its old location, where they must not be lost or doubled. */
function notesOf({ moved, tails }: Edit, node: PatchedNode): Notes | undefined {
  const source = sourceOf(node);
  if (source === undefined) return undefined;
  const { notes } = resolveAlias(source);
  const location = moved.get(source);
  if (location === undefined) return tails.has(source) ? { ...notes, comment: undefined } : notes;
  const { parent, segment } = location;
  const successor = parent.kind === 'patched-map' ? parent.entries.get(segment) : undefined;
  const hasSuccessor = successor !== undefined && sourceOf(successor) !== source;
  const comment = hasSuccessor || tails.has(source) ? undefined : notes?.comment;
  return parent.kind === 'patched-seq' || hasSuccessor ? { comment } : { ...notes, comment };
}

/** The comment lines above a node, after a blank line if it has one. */
function linesBefore(edit: Edit, node: PatchedNode, indent: string): string[] {
  const notes = notesOf(edit, node);
  const comments = commentLines(notes?.commentBefore, indent);
  return notes?.spaceBefore === true ? ['', ...comments] : comments;
}

function commentLines(comment: string | undefined, indent: string): string[] {
  if (comment === undefined) return [];
  return comment.split('\n').map((line) => (line === '' ? '' : `${indent}#${line}`));
}
