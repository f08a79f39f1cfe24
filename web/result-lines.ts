import type { ChangeView } from '../src/page/view.ts';

/** One line of the result. */
export interface ResultLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly change?: ChangeView;
  /** The first line of its change: it has the label. */
  readonly starts: boolean;
}

/** Lines that are shown, or folded away. */
export type Section =
  | { readonly type: 'lines'; readonly lines: readonly ResultLine[] }
  | { readonly type: 'fold'; readonly lines: readonly ResultLine[] };

/** Fewer unchanged lines than this are not worth a click. */
const SMALLEST_FOLD = 4;
/** Unchanged lines around a change that stay visible. */
const CONTEXT = 1;

export function resultLines(yaml: string, changes: readonly ChangeView[]): readonly ResultLine[] {
  const texts = yaml.replace(/\n$/, '').split('\n');
  const owners: (ChangeView | undefined)[] = [];
  // The longest first, so that a change inside of another one is drawn over it.
  for (const change of changes.toSorted((a, b) => height(b) - height(a))) {
    if (change.lines === undefined) continue;
    const [first, last] = change.lines;
    for (let line = first; line <= last; line++) owners[line] = change;
  }
  return texts.map((text, index) => {
    const number = index + 1;
    const change = owners[number];
    if (change === undefined) return { number, text, starts: false };
    return { number, text, change, starts: owners[number - 1] !== change };
  });
}

function height({ lines }: ChangeView): number {
  return lines === undefined ? 0 : lines[1] - lines[0];
}

/**
 * Folds lines that are far from every change, except the keys that lead to one. What the API server's plug-ins add to every Pod
 * folds away, too.
 */
export function foldUnchanged(lines: readonly ResultLine[]): readonly Section[] {
  const visible = new Set<number>();
  if (!lines.some(({ change }) => change !== undefined && !change.isPlugin)) {
    // Nothing else is visible.
    for (const [index, { change }] of lines.entries()) if (change === undefined) visible.add(index);
  }
  for (const [index, line] of lines.entries()) {
    if (line.change === undefined || line.change.isPlugin) continue;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near++) {
      if (!lines[near]?.change?.isPlugin) visible.add(near);
    }
    for (const parent of parents(lines, index)) visible.add(parent);
  }
  const sections: Section[] = [];
  let start = 0;
  while (start < lines.length) {
    const isVisible = visible.has(start);
    let end = start + 1;
    while (end < lines.length && visible.has(end) === isVisible) end++;
    const isFold = !isVisible && end - start >= SMALLEST_FOLD;
    sections.push({ type: isFold ? 'fold' : 'lines', lines: lines.slice(start, end) });
    start = end;
  }
  return sections;
}

/** The lines whose keys contain a line, by indentation. */
function* parents(lines: readonly ResultLine[], index: number): Generator<number> {
  let indent = indentOf(lines[index]);
  for (let above = index - 1; above >= 0 && indent > 0; above--) {
    const own = indentOf(lines[above]);
    if (own >= indent) continue;
    indent = own;
    yield above;
  }
}

/** A dash counts as indentation: the item's first key is the sibling of those below. */
function indentOf(line: ResultLine | undefined): number {
  return /^ */.exec(line?.text ?? '')?.[0].length ?? 0;
}

/** `6 unchanged lines`, `6 unchanged lines, 20 by ServiceAccount`. */
export function foldTitle(lines: readonly ResultLine[]): string {
  const owners = new Set(lines.flatMap(({ change }) => change?.owner ?? []));
  const changed = lines.filter(({ change }) => change !== undefined).length;
  const unchanged = lines.length - changed;
  const parts = unchanged > 0 ? [`${unchanged} unchanged ${unchanged === 1 ? 'line' : 'lines'}`] : [];
  if (changed > 0) parts.push(`${changed}${unchanged > 0 ? '' : ' lines'} by ${[...owners].join(', ')}`);
  return parts.join(', ');
}
