import { positionOf, titleOf } from '../model/source.ts';
import { plural } from '../model/text.ts';
import type { Finding, Severity } from '../rule.ts';
import type { LintReport } from '../run-lint.ts';

/** `2 errors, 1 warning and 3 notes in 5 webhooks`. */
export function summaryOf({ findings, webhooks }: LintReport): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const parts = [
    plural(count('error'), 'error'),
    plural(count('warning'), 'warning'),
    plural(count('info'), 'note'),
  ];
  return `${parts.slice(0, 2).join(', ')} and ${parts[2]} in ${plural(webhooks, 'webhook')}`;
}

/** `webhooks.yaml:12`, or the object and the path in it. */
export function placeOf({ source, path }: Pick<Finding, 'source' | 'path'>): string {
  const position = positionOf(source, path);
  if (position !== undefined) return `${position.file}:${position.line}`;
  return path === '' ? titleOf(source) : `${titleOf(source)} ${path}`;
}
