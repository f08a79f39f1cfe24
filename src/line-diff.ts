export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly line: string;
}

/** The difference between two texts, line by line (Myers' algorithm: the time grows with the number of differences). */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...unchanged(old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...unchanged(old.slice(old.length - end)),
  ];
}

/** Beyond it, the texts have so little in common that a shortest difference is useless. */
const MOST_EDITS = 2000;

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const paths = furthestPaths(old, now);
  if (paths === undefined) return [...removed(old), ...added(now)];
  const lines: DiffLine[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = paths.length - 1; edits > 0; edits--) {
    const reached = paths[edits - 1] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const isAddition = cameFromAbove(reached, diagonal, edits);
    const previous = isAddition ? diagonal + 1 : diagonal - 1;
    const fromX = reached.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > fromX && y > fromY) {
      lines.push({ sign: ' ', line: old[--x] as string });
      y--;
    }
    if (isAddition) lines.push({ sign: '+', line: now[--y] as string });
    else lines.push({ sign: '-', line: old[--x] as string });
  }
  while (x > 0) lines.push({ sign: ' ', line: old[--x] as string });
  return lines.toReversed();
}

/** For each number of edits, how far each diagonal gets; undefined if the texts differ too much. */
function furthestPaths(
  old: readonly string[],
  now: readonly string[],
): readonly ReadonlyMap<number, number>[] | undefined {
  const paths: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(old.length + now.length, MOST_EDITS); edits++) {
    const before = paths.at(-1) ?? new Map<number, number>();
    const reached = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOn(before, diagonal, edits);
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x++;
      reached.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return [...paths, reached];
    }
    paths.push(reached);
  }
  return undefined;
}

function startOn(before: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  if (edits === 0) return 0;
  return cameFromAbove(before, diagonal, edits)
    ? (before.get(diagonal + 1) ?? 0)
    : (before.get(diagonal - 1) ?? 0) + 1;
}

/** Whether the best path to a diagonal ends with an added line instead of a removed one. */
function cameFromAbove(before: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (before.get(diagonal - 1) ?? -1) < (before.get(diagonal + 1) ?? -1);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

const unchanged = (lines: readonly string[]): DiffLine[] => lines.map((line) => ({ sign: ' ', line }));
const removed = (lines: readonly string[]): DiffLine[] => lines.map((line) => ({ sign: '-', line }));
const added = (lines: readonly string[]): DiffLine[] => lines.map((line) => ({ sign: '+', line }));
