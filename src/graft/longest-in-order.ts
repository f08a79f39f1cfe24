/** The most items that need not move: a longest increasing subsequence, by patience sorting in n·log n. */
export function longestInOrder(places: readonly number[]): ReadonlySet<number> {
  /** Indices into `places`: `ends[n]` ends the best subsequence of length n + 1 so far. */
  const ends: number[] = [];
  const before: number[] = [];
  let last = -1;
  for (const [index, place] of places.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[ends[middle] as number] as number) < place) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : (ends[low - 1] as number));
    // Among equally long ones the first counts, so that items move towards the front.
    if (low === ends.length) last = index;
    ends[low] = index;
  }
  const staying = new Set<number>();
  for (let index = last; index >= 0; index = before[index] as number) staying.add(places[index] as number);
  return staying;
}
