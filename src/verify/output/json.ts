import type { VerifyReport } from '../run-verify.ts';

export function renderJson({ seed, webhooks, results, notes }: VerifyReport): string {
  const report = {
    passed: results.every(({ outcome }) => outcome !== 'failed'),
    seed,
    webhooks,
    checks: results.map(({ check, subject, outcome, objects, finding }) => ({
      check: check.id,
      title: check.title,
      subject,
      outcome,
      objects,
      ...(finding && { finding }),
    })),
    notes,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
