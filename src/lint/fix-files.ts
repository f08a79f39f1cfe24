import { editDocument, patchAt } from '../yaml/edit-document.ts';
import { parseDocument } from '../yaml/parse-document.ts';
import type { InventoryOptions } from './model/inventory.ts';
import { type ParsedFile, parseSources } from './parse-sources.ts';
import type { Finding } from './rule.ts';
import { runLint } from './run-lint.ts';

export interface FixedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The findings that it fixes. */
  readonly fixed: readonly Finding[];
}

/** More than any file needs; a fix that does not silence its rule must not loop forever. */
const MOST_ROUNDS = 100;

/**
 * Applies the safe fixes to the text of files. After each, the files are checked again: two fixes may concern the same list, and
 * one may settle several findings.
 */
export function fixFiles(texts: ReadonlyMap<string, string>, options: InventoryOptions): FixedFile[] {
  const current = new Map(texts);
  const fixed = new Map<string, Finding[]>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = new Map([...current].map(([file, text]) => [file, parseSources(text, file)]));
    const sources = [...parsed.values()].flatMap((each) => each.sources);
    const { findings } = runLint(sources, options);
    const changed = new Set<string>();
    for (const finding of findings) {
      const file = finding.source.origin?.file;
      // One per file and round: the next fix must see the new text.
      if (finding.patch === undefined || file === undefined || changed.has(file)) continue;
      changed.add(file);
      current.set(file, textWith(finding, parsed.get(file)));
      fixed.set(file, [...(fixed.get(file) ?? []), finding]);
    }
    if (changed.size === 0) break;
  }
  return [...fixed].map(([file, findings]) => ({
    file,
    before: texts.get(file) ?? '',
    after: current.get(file) ?? '',
    fixed: findings,
  }));
}

function textWith({ source, patch = [] }: Finding, file: ParsedFile | undefined): string {
  const { origin } = source;
  const texts = (file?.documents ?? []).map((document) =>
    document === origin?.document ? editDocument(document, patchAt(origin.at, patch)) : document.text,
  );
  // The editor guarantees valid YAML, but a broken file would be worse than a finding.
  for (const text of texts) parseDocument(text);
  return texts.join('');
}
