import type { Json } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import type { Pointer } from '../json/pointer.ts';
import { sameJson } from '../json/same-json.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Edit, TextEdit } from './edit.ts';
import { editCollection } from './edit-block.ts';
import { isTooLarge, parseDocument, YamlInvalid } from './parse-document.ts';
import {
  contentOf,
  isPatched,
  type PatchedNode,
  patchedEntries,
  patchedValue,
  patchTree,
  sourceOf,
} from './patch-tree.ts';
import { renderLines } from './render-block.ts';
import { INLINE_FLOW, renderFlow } from './render-flow.ts';
import { styleOf } from './style.ts';
import { columnOf, lineStart, startsLine } from './text-lines.ts';
import { isCollection, type YamlDocument, type YamlNode } from './yaml-tree.ts';

/**
 * Applies a patch to the text of a YAML document (JSON is YAML, too). Text that the patch does not concern stays the same, byte by
 * byte.
 *
 * An item that moves within its list keeps its lines. A value that moves to another collection is printed there with its comments;
 * a comment beside its old key may be lost.
 */
export function editDocument(document: YamlDocument, patch: Patch): string {
  if (patch.length === 0) return document.text;
  const { root, aliases, keepScalars } = document;
  const tree = patchTree(root, patch);
  const value = patchedValue(tree.patched);
  if (isTooLarge(value)) throw new PodgraftError('INPUT_INVALID', 'Cannot edit YAML: nested too deeply');
  if (sameJson(document.value, value)) return document.text;
  const tails = new Set([...tree.moved.keys()].flatMap(tailsOf));
  const edit = { ...document, ...tree, tails, style: styleOf(document), replacements: [] };
  const reused = new Set(aliases.length === 0 ? [] : reusedNodes(tree.patched));
  const text = applyEdit(
    edit,
    aliases.filter(({ target }) => !reused.has(target)),
  );
  // A moved anchor or other lines after a `|+` scalar can change a value. This is rare enough to parse the result as a check.
  if (aliases.length + keepScalars.length === 0 || hasValue(text, value)) return text;
  return applyEdit(
    edit,
    [...aliases, ...keepScalars].toSorted((one, other) => one.start - other.start),
  );
}

/** A patch whose paths begin at a value inside the document, such as `/items/0`, as a patch of the document. */
export function patchAt(at: Pointer, patch: Patch): Patch {
  return patch.map((operation): Operation => {
    const path = at + operation.path;
    if (operation.op === 'move') return { ...operation, path, from: at + operation.from };
    // Adding the root replaces it, but adding an item would insert it.
    if (operation.op === 'add' && operation.path === '') return { ...operation, op: 'replace', path };
    return { ...operation, path };
  });
}

/** A block, the last block in it, and so on. */
function tailsOf(node: YamlNode): YamlNode[] {
  if (!isCollection(node) || node.isFlow) return [];
  return [node, ...node.entries.slice(-1).flatMap((entry) => tailsOf(entry.node))];
}

/** The nodes that keep their text. */
function reusedNodes(node: PatchedNode): YamlNode[] {
  if (node.kind === 'new') return [];
  if (!isPatched(node)) {
    const entries = isCollection(node) ? node.entries : [];
    return [
      node,
      ...entries.flatMap((entry) => [...(entry.key ? [entry.key] : []), ...reusedNodes(entry.node)]),
    ];
  }
  const entries = node.source === undefined ? [] : patchedEntries(node);
  return entries.flatMap((entry) =>
    sourceOf(entry.node) === entry.old?.node ? reusedNodes(entry.node) : [],
  );
}

/** The edited text, in which some nodes are replaced by their values on one line. */
function applyEdit(edit: Edit, replaced: readonly YamlNode[]): string {
  const replacements = replaced.map((node) => {
    const text = renderFlow(edit, node, '', INLINE_FLOW);
    return { start: node.start, end: node.end, text };
  });
  const { start, end, text } =
    editCollection({ ...edit, replacements }, edit.patched, undefined) ?? replaceRoot(edit);
  return edit.text.slice(0, start) + text + edit.text.slice(end);
}

function hasValue(text: string, value: Json): boolean {
  try {
    return sameJson(parseDocument(text).value, value);
  } catch (error) {
    if (error instanceof YamlInvalid) return false;
    throw error;
  }
}

function replaceRoot(edit: Edit): TextEdit {
  const { root, text, style } = edit;
  const content = contentOf(edit.patched);
  // The comments of the old root stay in the text, so they are not copied.
  const bare = isPatched(content) ? { ...content, source: undefined } : content;
  const lines = renderLines(edit, bare, 0).join(style.eol);
  const { start, end } = root;
  if (start === end) return appendRoot(edit, lines);
  const isOnOwnLine = startsLine(text, start);
  // A block cannot begin on the line of `---`.
  const eol = isPatched(content) && !isOnOwnLine ? style.eol : '';
  const isIndented = isOnOwnLine && columnOf(text, start) > 0;
  return { start: isIndented ? lineStart(text, start) : start, end, text: eol + lines };
}

/** Adds a root to a document that has only comments. */
function appendRoot({ text, style: { eol } }: Edit, lines: string): TextEdit {
  const { length } = text;
  if (text.endsWith('\n')) return { start: length, end: length, text: eol + lines + eol };
  return { start: length, end: length, text: text === '' ? lines : eol + eol + lines };
}
