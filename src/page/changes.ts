import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { setMember } from '../json/member.ts';
import { escapeSegment, type Pointer } from '../json/pointer.ts';
import { sameJson } from '../json/same-json.ts';
import { valueAt } from '../json/value-at.ts';
import { lineRange } from '../yaml/line-range.ts';
import type { YamlDocument } from '../yaml/yaml-tree.ts';
import { type Author, type Blame, blameOf, type History } from './blame.ts';
import { readablePath } from './readable-path.ts';
import type { ChangeView } from './view.ts';

/** The result as its author would write it: without what the API server filled in, and in the author's notation. */
export function withoutServerParts(result: JsonObject, { blame }: History, sent: Json): JsonObject {
  return strip(result, blame, sent) as JsonObject;
}

function strip(value: Json, blame: Blame, sent: Json): Json | undefined {
  const isServer = blame.author?.isServer === true;
  if (isServer && (blame.origin !== undefined || blame.fields === undefined || !isJsonObject(value)))
    return blame.origin === undefined ? undefined : (valueAt(sent, blame.origin) ?? value);
  if (blame.items !== undefined && isJsonArray(value)) {
    return value.map((item, index) => strip(item, blameOf(blame, String(index)), sent) ?? item);
  }
  if (blame.fields === undefined || !isJsonObject(value)) return value;
  const next: Record<string, Json> = {};
  for (const [key, field] of Object.entries(value)) {
    const stripped = strip(field, blameOf(blame, key), sent);
    if (stripped !== undefined) setMember(next, key, stripped);
  }
  // An empty `securityContext` that the API server filled in stays if others filled it.
  return isServer && Object.keys(next).length === 0 ? undefined : next;
}

/** Every place that differs between the object as sent and the one shown, with its owner. `document` is the YAML of the one shown. */
export function changesOf(
  sent: JsonObject,
  shown: JsonObject,
  { blame, removals }: History,
  document: YamlDocument,
): ChangeView[] {
  const changes: ChangeView[] = [];
  const visit = (value: Json, part: Blame, pointer: Pointer, around: string | undefined): void => {
    const author = authorOf(value, part);
    const owner = author?.owner;
    const before = part.origin === undefined ? undefined : valueAt(sent, part.origin);
    const isRestored = before !== undefined && sameJson(before, value);
    if (author !== undefined && owner !== around && !author.isServer && !isRestored) {
      const lines = lineRange(document, pointer);
      changes.push({
        pointer,
        path: readablePath(shown, pointer),
        type: before === undefined ? 'added' : 'replaced',
        owner: author.owner,
        ...(author.isPlugin && { isPlugin: true }),
        reason: author.reason,
        ...(lines && { lines }),
        ...(before !== undefined && { before }),
      });
    }
    if (part.fields === undefined && part.items === undefined) return;
    if (!isJsonObject(value) && !isJsonArray(value)) return;
    for (const [key, child] of Object.entries(value)) {
      visit(child as Json, blameOf(part, key), `${pointer}/${escapeSegment(key)}`, owner ?? around);
    }
  };
  visit(shown, blame, '', undefined);
  for (const { origin, author } of removals) addRemoval(changes, sent, origin, author);
  return changes;
}

/** An object that the API server filled in is shown only for its content: it is attributed to whoever first added to it. */
function authorOf(value: Json, part: Blame): Author | undefined {
  if (part.author?.isServer !== true || part.origin !== undefined || !isJsonObject(value)) return part.author;
  const authors = Object.keys(value).map((key) => blameOf(part, key).author);
  return authors.find((author) => author?.isServer !== true) ?? part.author;
}

/** A value that was removed and then added by someone else counts as replaced. */
function addRemoval(
  changes: ChangeView[],
  sent: JsonObject,
  origin: Pointer,
  { owner, reason }: { readonly owner: string; readonly reason: string },
): void {
  const before = valueAt(sent, origin);
  if (before === undefined || before === null) return;
  const path = readablePath(sent, origin);
  const index = changes.findIndex((change) => change.type === 'added' && change.path === path);
  const added = changes[index];
  if (added === undefined) changes.push({ pointer: origin, path, type: 'removed', owner, reason, before });
  else changes[index] = { ...added, type: 'replaced', before };
}
