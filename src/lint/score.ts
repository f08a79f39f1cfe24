import type { Finding, Severity } from './rule.ts';

const WEIGHTS: { readonly [severity in Severity]: number } = { error: 20, warning: 6, info: 0 };

/** From 100 down to 0. Repetitions of a rule count half as much as its first finding, a quarter, and so on. */
export function scoreOf(findings: readonly Finding[]): number {
  const seen = new Map<string, number>();
  let score = 100;
  for (const { rule, severity } of findings) {
    const times = seen.get(rule.id) ?? 0;
    seen.set(rule.id, times + 1);
    score -= WEIGHTS[severity] / 2 ** times;
  }
  return Math.max(0, Math.round(score));
}
