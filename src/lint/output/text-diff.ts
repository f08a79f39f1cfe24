const CONTEXT = 3;

/** A unified diff of two texts that differ in a few places; empty if they are the same. */
export function textDiff(file: string, before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = diffLines(old, now);
  const changes = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : index));
  if (changes.length === 0) return '';
  const hunks: [number, number][] = [];
  for (const index of changes) {
    const last = hunks.at(-1);
    if (last !== undefined && index - CONTEXT <= last[1]) last[1] = index + CONTEXT + 1;
    else hunks.push([Math.max(0, index - CONTEXT), index + CONTEXT + 1]);
  }
  const body = hunks.flatMap(([from, to]) => {
    const part = lines.slice(from, to);
    const count = (signs: string) => part.filter(({ sign }) => signs.includes(sign)).length;
    const first = (signs: string) =>
      lines.slice(0, from).filter(({ sign }) => signs.includes(sign)).length + 1;
    const head = `@@ -${first(' -')},${count(' -')} +${first(' +')},${count(' +')} @@`;
    return [head, ...part.map(({ sign, text }) => sign + text)];
  });
  return [`--- ${file}`, `+++ ${file}`, ...body, ''].join('\n');
}

interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** Greedy: at a difference, takes the nearest line on which both agree again. Enough for edits that insert and replace lines. */
function diffLines(old: readonly string[], now: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < now.length) {
    if (one < old.length && old[one] === now[other]) {
      lines.push({ sign: ' ', text: old[one] ?? '' });
      one++;
      other++;
      continue;
    }
    const [skip, insert] = nextAgreement(old, now, one, other);
    for (const text of old.slice(one, one + skip)) lines.push({ sign: '-', text });
    for (const text of now.slice(other, other + insert)) lines.push({ sign: '+', text });
    one += skip;
    other += insert;
  }
  return lines;
}

/** How many lines to remove and to add until the next lines are the same. */
function nextAgreement(old: readonly string[], now: readonly string[], one: number, other: number) {
  const longest = old.length - one + (now.length - other);
  for (let distance = 1; distance <= longest; distance++) {
    for (let skip = 0; skip <= distance; skip++) {
      const insert = distance - skip;
      const isEnd = one + skip >= old.length && other + insert >= now.length;
      const found = old[one + skip];
      if (isEnd || (found !== undefined && found.trim() !== '' && found === now[other + insert]))
        return [Math.min(skip, old.length - one), Math.min(insert, now.length - other)] as const;
    }
  }
  return [old.length - one, now.length - other] as const;
}
