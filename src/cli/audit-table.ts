import { styleText } from 'node:util';
import type { Audit } from '../audit/audit-cluster.ts';
import type { Finding } from '../audit/finding.ts';

/** One row per finding, followed by the paths that would change. */
export function auditTable({ pods, findings }: Audit): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    process.stdout.isTTY ? styleText(format, text) : text;
  const count = `${pods} Pod${pods === 1 ? '' : 's'} audited`;
  if (findings.length === 0) return `${count}: ${paint('green', 'nothing is missing')}\n`;
  const rows = findings.map((finding) => [
    finding.namespace,
    `${finding.workload.kind}/${finding.workload.name}`,
    String(finding.podCount),
    finding.injector,
    finding.reason,
  ]);
  const header = ['NAMESPACE', 'WORKLOAD', 'PODS', 'INJECTOR', 'REASON'];
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const lines = findings.flatMap((finding, at) => [
    line(rows[at] ?? []),
    ...pathsOf(finding).map((path) => paint('dim', `  ${path}`)),
  ]);
  const workloads = new Set(
    findings.map(({ namespace, workload: { kind, name } }) => `${namespace} ${kind} ${name}`),
  );
  const summary = `${count}: ${workloads.size} workload${workloads.size === 1 ? '' : 's'} with missing injections`;
  return `${[paint('bold', line(header)), ...lines, '', summary].join('\n')}\n`;
}

const SHOWN = 3;

function pathsOf({ paths }: Finding): readonly string[] {
  return paths.length <= SHOWN ? paths : [...paths.slice(0, SHOWN), `… ${paths.length - SHOWN} more`];
}
