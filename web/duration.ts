/** Three digits are enough to compare: `0.42 ms`, `17 ms`, `1.2 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 10) return `${Math.round(milliseconds)} ms`;
  return `${milliseconds.toFixed(milliseconds >= 1 ? 1 : 2)} ms`;
}
