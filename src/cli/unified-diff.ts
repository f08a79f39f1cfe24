import { styleText } from 'node:util';
import { type DiffLine, lineDiff } from '../line-diff.ts';

/** Unchanged lines around a change. */
const CONTEXT = 3;

/** A unified diff that `patch` and `git apply` understand; empty if the texts are equal. */
export function unifiedDiff(file: string, before: string, after: string, { colour = false } = {}): string {
  if (before === after) return '';
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text) : text;
  const lines = lineDiff(before, after);
  const hunks = hunksOf(lines).map(({ from, to, oldLine, newLine }) => {
    const shown = lines.slice(from, to);
    const count = (sign: string) => shown.filter((each) => each.sign !== sign).length;
    const head = `@@ -${oldLine},${count('+')} +${newLine},${count('-')} @@`;
    return [paint('cyan', head), ...shown.map(({ sign, line }) => paint(COLOURS[sign], `${sign}${line}`))];
  });
  const head = [`--- ${file}`, `+++ ${file}`].map((line) => paint('bold', line));
  return `${[...head, ...hunks.flat()].join('\n')}\n`;
}

const COLOURS = { '+': 'green', '-': 'red', ' ': 'reset' } as const;

interface Hunk {
  readonly from: number;
  readonly to: number;
  /** Counted from 1. */
  readonly oldLine: number;
  readonly newLine: number;
}

/** Changes that are near each other form one hunk. */
function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: { from: number; to: number; oldLine: number; newLine: number }[] = [];
  let [oldLine, newLine] = [1, 1];
  for (const [at, { sign }] of lines.entries()) {
    if (sign !== ' ') {
      const last = hunks.at(-1);
      const to = Math.min(lines.length, at + CONTEXT + 1);
      const before = Math.min(CONTEXT, at);
      if (last !== undefined && at - before <= last.to) last.to = to;
      else hunks.push({ from: at - before, to, oldLine: oldLine - before, newLine: newLine - before });
    }
    if (sign !== '+') oldLine++;
    if (sign !== '-') newLine++;
  }
  return hunks;
}
