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
  if (blame.author?.isServer === true && authorOf(blame) === undefined) {
    return blame.origin === undefined ? undefined : (valueAt(sent, blame.origin) ?? value);
  }
  if (blame.items !== undefined && isJsonArray(value)) {
    return value.map((item, index) => strip(item, blameOf(blame, String(index)), sent) ?? item);
  }
  if (blame.fields === undefined || !isJsonObject(value)) return value;
  const next: Record<string, Json> = {};
  for (const [key, field] of Object.entries(value)) {
    const stripped = strip(field, blameOf(blame, key), sent);
    if (stripped !== undefined) setMember(next, key, stripped);
  }
  return next;
}

/** Who added or replaced a value. What the API server made, such as `securityContext: {}`, belongs to the first who filled it. */
function authorOf({ author, fields, items }: Blame): Author | undefined {
  if (author?.isServer !== true) return author;
  for (const part of [...(fields?.values() ?? []), ...(items ?? [])]) {
    const found = authorOf(part);
    if (found !== undefined) return found;
  }
  return undefined;
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
    const author = authorOf(part);
    const owner = author?.owner;
    const before = part.origin === undefined ? undefined : valueAt(sent, part.origin);
    const isRestored = before !== undefined && sameJson(before, value);
    if (author !== undefined && owner !== around && !isRestored) {
      const lines = lineRange(document, pointer);
      changes.push({
        pointer,
        path: readablePath(shown, pointer),
        type: before === undefined ? 'added' : 'replaced',
        owner: author.owner,
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

/** What was removed and added again by someone else has been replaced. */
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
