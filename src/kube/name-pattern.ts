/** Matches patterns such as `team-*`, where `*` is any run of characters. Greedy from the left, without backtracking. */
export function matchesNamePattern(pattern: string, text: string): boolean {
  if (pattern === '*') return true;
  const [head = '', ...pieces] = pattern.split('*');
  const tail = pieces.pop();
  if (tail === undefined) return text === pattern;
  if (!text.startsWith(head) || text.length < head.length + tail.length || !text.endsWith(tail)) return false;
  let position = head.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found < 0 || found + piece.length > text.length - tail.length) return false;
    position = found + piece.length;
  }
  return true;
}

/** Whether a text can match both patterns. */
export function patternsOverlap(one: string, other: string): boolean {
  if (!one.includes('*')) return matchesNamePattern(other, one);
  if (!other.includes('*')) return matchesNamePattern(one, other);
  // Whatever is between the first and the last `*` fits between a common head and a common tail.
  const [head, otherHead] = [headOf(one), headOf(other)];
  const [tail, otherTail] = [tailOf(one), tailOf(other)];
  return (
    (head.startsWith(otherHead) || otherHead.startsWith(head)) &&
    (tail.endsWith(otherTail) || otherTail.endsWith(tail))
  );
}

function headOf(pattern: string): string {
  return pattern.slice(0, pattern.indexOf('*'));
}

function tailOf(pattern: string): string {
  return pattern.slice(pattern.lastIndexOf('*') + 1);
}
