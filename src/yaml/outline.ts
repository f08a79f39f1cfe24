import type { ParsedNode } from 'yaml';
import { type Draft, effectivePairs, type MapDraft, type SeqDraft } from './draft.ts';
import { isMergePair, keyText, type Source, type SourcePair } from './source.ts';

/** What a collection will hold, in order: entries that stand in the text, and new ones. */
export type Outline = readonly (Standing | Added)[];
export interface Standing {
  /** Which of the collection's entries in the text it is. */
  readonly index: number;
  readonly node: ParsedNode | null;
  /** Undefined for a merge, which is not an entry of its own. */
  readonly draft: Draft | undefined;
}
export interface Added {
  readonly index: undefined;
  /** Undefined for an item. */
  readonly key: string | undefined;
  readonly draft: Draft;
}

export function outline(source: Source, draft: MapDraft | SeqDraft): Outline {
  return draft.kind === 'map' ? outlineMap(source, draft) : outlineSeq(draft);
}

/** Whether an entry needs no other text than it has. */
export function isUntouched({ node, draft }: Standing): boolean {
  return draft === undefined || (draft.kind === 'kept' && draft.node === node);
}

function outlineMap(source: Source, { origin, entries }: MapDraft): Outline {
  const pairs: readonly SourcePair[] = origin?.items ?? [];
  const merged = mergedPairs(source, pairs, origin);
  // A key that comes from a merge cannot be taken away without taking the merge apart.
  const apart = [...merged.keys()].some((key) => !entries.has(key));
  const standing = pairs.flatMap((pair, index): Standing[] => {
    if (isMergePair(pair)) return apart ? [] : [{ index, node: pair.value, draft: undefined }];
    const entry = entries.get(keyText(pair.key, source.document));
    return entry === undefined ? [] : [{ index, node: pair.value, draft: entry }];
  });
  const own = new Set(
    pairs.filter((pair) => !isMergePair(pair)).map(({ key }) => keyText(key, source.document)),
  );
  const added = [...entries].flatMap(([key, entry]): Added[] => {
    const pair = merged.get(key);
    const byMerge = !apart && pair !== undefined && entry.kind === 'kept' && entry.node === pair.value;
    return own.has(key) || byMerge ? [] : [{ index: undefined, key, draft: entry }];
  });
  return [...standing, ...added];
}

function mergedPairs(
  { document }: Source,
  pairs: readonly SourcePair[],
  origin: MapDraft['origin'],
): Map<string, SourcePair> {
  if (origin === undefined || !pairs.some(isMergePair)) return new Map();
  const own = new Set(pairs);
  return new Map(effectivePairs(document, origin).filter(([, pair]) => !own.has(pair)));
}

function outlineSeq({ origin, items }: SeqDraft): Outline {
  const indexes = new Map(origin?.items.map((item, index) => [item, index] as const));
  return items.map(({ place, draft }) => {
    const index = place === undefined ? undefined : indexes.get(place);
    return place === undefined || index === undefined
      ? { index: undefined, key: undefined, draft }
      : { index, node: place, draft };
  });
}
