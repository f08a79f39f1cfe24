import { positionOf } from '../model/source.ts';
import type { Finding } from '../rule.ts';
import type { LintReport } from '../run-lint.ts';

/** For programs. */
export function renderJson({ score, webhooks, urgent, findings, ignored, unchecked }: LintReport): string {
  const report = {
    score,
    webhooks,
    urgent: urgent.map((finding) => findings.indexOf(finding)),
    findings: findings.map(describe),
    ignored: ignored.map(({ finding, reason }) => ({ ...describe(finding), reason })),
    unchecked,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function describe({ rule, severity, message, source, path, patch, drawing }: Finding) {
  const { apiVersion, kind, metadata } = source.object;
  return {
    rule: rule.id,
    category: rule.category,
    severity,
    message,
    object: { apiVersion, kind, namespace: metadata.namespace, name: metadata.name },
    path,
    ...positionOf(source, path),
    fix: rule.fix,
    practice: rule.practice,
    fixable: patch !== undefined,
    ...(drawing && { drawing }),
  };
}
