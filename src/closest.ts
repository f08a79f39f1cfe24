/** The end of a message about an unknown word: what was probably meant, else what is expected. */
export function suggestion(word: string, candidates: readonly string[], others = ''): string {
  const guess = closest(word, candidates);
  return guess === undefined ? `expected ${candidates.join(', ')}${others}` : `did you mean "${guess}"?`;
}

/** The candidate that is nearest to a mistyped word; undefined if none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    // The difference in length is a lower bound: long words are never compared.
    .filter((candidate) => Math.abs(word.length - candidate.length) <= farthest(candidate))
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .filter(({ candidate, distance: far }) => far <= farthest(candidate))
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.candidate;
}

function farthest(candidate: string): number {
  return Math.max(1, Math.floor(candidate.length / 3));
}

/** The Levenshtein distance, row by row; two neighbours in the wrong order (`paht`) count once. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const substituted = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      const areSwapped = i > 0 && j > 0 && one[i] === other[j - 1] && one[i - 1] === other[j];
      const swapped = areSwapped ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(substituted, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
