import { styleText } from 'node:util';
import { positionOf, titleOf } from '../model/source.ts';
import type { Finding } from '../rule.ts';
import { isBlind, type LintReport } from '../run-lint.ts';
import { placeOf, summaryOf } from './summary.ts';

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

const COLOURS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;
/** Labels of severities. */
const LABELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** For people: the score and what to fix first, then all findings by file and line. */
export function renderTable(report: LintReport, colour: boolean): string {
  const paint: Paint = colour ? styleText : (_, text) => text;
  const blocks = [
    headLines(report, paint),
    urgentLines(report.urgent, paint),
    ...groups(report.findings).map(([title, findings]) => groupLines(title, findings, paint)),
    uncheckedLines(report, paint),
    ignoredLines(report, paint),
    footLines(report, paint),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headLines(report: LintReport, paint: Paint): string[] {
  const { score, findings, webhooks } = report;
  const colour = score >= 90 ? 'green' : score >= 60 ? 'yellow' : 'red';
  const scoreText = paint(['bold', colour], `Score ${score} of 100`);
  if (webhooks === 0 && isBlind(report)) return ['Could not read the webhooks'];
  if (webhooks + findings.length === 0) return ['No webhooks found'];
  const note =
    report.unchecked.length === 0 ? '' : paint('yellow', ' (not everything was checked: see below)');
  return [`${scoreText}  ${summaryOf(report)}${note}`];
}

function urgentLines(urgent: readonly Finding[], paint: Paint): string[] {
  if (urgent.length === 0) return [];
  const items = urgent.flatMap((finding, index) => [
    ` ${index + 1}. ${paint(COLOURS[finding.severity], finding.message)}`,
    `    ${paint('dim', placeOf(finding))}`,
    `    ${paint('green', '→')} ${finding.rule.fix}`,
  ]);
  return [paint('bold', urgent.length === 1 ? 'Fix this first' : 'Fix these first'), ...items];
}

/** By file, or by object for those of a cluster. */
function groups(findings: readonly Finding[]): [string, Finding[]][] {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const title = finding.source.origin?.file ?? titleOf(finding.source);
    found.set(title, [...(found.get(title) ?? []), finding]);
  }
  return [...found];
}

function groupLines(title: string, findings: readonly Finding[], paint: Paint): string[] {
  const rows = findings
    .map((finding) => {
      const line = positionOf(finding.source, finding.path)?.line;
      return { finding, line, place: line === undefined ? finding.path || '/' : String(line) };
    })
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const width = Math.max(...rows.map(({ place }) => place.length), 4);
  const ruleWidth = Math.max(...rows.map(({ finding }) => finding.rule.id.length));
  return [
    paint('bold', title),
    ...rows.flatMap(({ finding, line, place }) => {
      const { severity, rule, message, drawing = [], patch } = finding;
      const placed = line === undefined ? place.padEnd(width) : place.padStart(width);
      const label = paint(COLOURS[severity], LABELS[severity].padEnd(7));
      const fixable = patch === undefined ? '' : paint('dim', ' (--fix)');
      return [
        `${placed}  ${label}  ${paint('dim', rule.id.padEnd(ruleWidth))}  ${message}${fixable}`,
        ...drawing.map((text) => `${' '.repeat(width + 11)}${text}`),
      ];
    }),
  ];
}

function uncheckedLines({ unchecked }: LintReport, paint: Paint): string[] {
  if (unchecked.length === 0) return [];
  return [
    paint('bold', 'Not checked'),
    ...unchecked.map(({ subject, why }) => `  ${paint('yellow', subject)}  ${paint('dim', why)}`),
  ];
}

function ignoredLines({ ignored }: LintReport, paint: Paint): string[] {
  if (ignored.length === 0) return [];
  return [
    paint('bold', 'Ignored by annotation'),
    ...ignored.map(
      ({ finding, reason }) => `  ${finding.rule.id}  ${placeOf(finding)}  ${paint('dim', reason)}`,
    ),
  ];
}

function footLines({ findings }: LintReport, paint: Paint): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const count = findings.filter(({ patch }) => patch !== undefined).length;
  const fixes = count === 0 ? '' : `; ${count} fixable with --fix`;
  return [paint('dim', `podgraft lint --explain ${first.rule.id} explains why${fixes}`)];
}
