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
