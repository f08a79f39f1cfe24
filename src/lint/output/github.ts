import { positionOf } from '../model/source.ts';
import type { Finding, Severity } from '../rule.ts';
import type { LintReport } from '../run-lint.ts';
import { placeOf, summaryOf } from './summary.ts';

const COMMANDS: { readonly [severity in Severity]: string } = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

/** Workflow commands of GitHub Actions, which shows them beside the lines of a pull request. */
export function renderGithub(report: LintReport): string {
  const lines = [
    ...report.findings.map(annotation),
    ...report.unchecked.map(
      ({ subject, why }) =>
        `::notice title=podgraft lint%3A not checked::${escapeData(`${subject}: ${why}`)}`,
    ),
  ];
  return [...lines, `podgraft lint: score ${report.score} of 100, ${summaryOf(report)}`, ''].join('\n');
}

function annotation(finding: Finding): string {
  const { rule, severity, message, source, path, drawing = [] } = finding;
  const position = positionOf(source, path);
  const properties = {
    ...(position && { file: position.file, line: String(position.line), col: String(position.column) }),
    title: `podgraft lint: ${rule.id}`,
  };
  const given = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  const text = [
    position ? message : `${placeOf(finding)}: ${message}`,
    ...drawing,
    `${rule.fix} ${rule.practice}`,
  ].join('\n');
  return `::${COMMANDS[severity]} ${given.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
