const WIDTH = 40;
const BARS = [...' ▁▂▃▄▅▆▇█'];

/** How often something happened over time, as a row of bars. */
export function timelineOf(times: readonly number[], first: number, last: number): string {
  const counts = new Array<number>(WIDTH).fill(0);
  const span = Math.max(1, last - first);
  for (const time of times) {
    const bucket = Math.min(WIDTH - 1, Math.floor(((time - first) / span) * WIDTH));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const most = Math.max(...counts, 1);
  return counts.map((count) => BARS[Math.ceil((count / most) * (BARS.length - 1))]).join('');
}
