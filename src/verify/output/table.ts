import { styleText } from 'node:util';
import { stringify } from 'yaml';
import type { CheckResult, VerifyReport } from '../run-verify.ts';

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

const MARKS = { passed: '✓', failed: '✗', skipped: '–' } as const;
const COLOURS = { passed: 'green', failed: 'red', skipped: 'dim' } as const;

/** For people: failures first, with the smallest object that shows them; then all checks. */
export function renderTable({ results, notes, seed }: VerifyReport, colour: boolean): string {
  const paint: Paint = colour ? styleText : (_, text) => text;
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  const blocks = [
    [headLine(results, paint)],
    ...failed.map((result) => findingLines(result, paint)),
    ...subjects.map((subject) => subjectLines(subject, results, paint)),
    notes.map((note) => paint('yellow', `note: ${note}`)),
    failed.some(({ check }) => check.id === 'order')
      ? [paint('dim', `--seed ${seed} tries the same orders`)]
      : [],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** `2 of 30 checks failed`. */
function headLine(results: readonly CheckResult[], paint: Paint): string {
  const tried = results.filter(({ outcome }) => outcome !== 'skipped');
  const failed = tried.filter(({ outcome }) => outcome === 'failed').length;
  if (tried.length === 0) return paint(['bold', 'yellow'], 'Nothing could be checked');
  return failed === 0
    ? paint(['bold', 'green'], `All ${tried.length} checks passed`)
    : paint(['bold', 'red'], `${failed} of ${tried.length} checks failed`);
}

function findingLines({ check, subject, objects, finding }: CheckResult, paint: Paint): string[] {
  if (finding === undefined) return [];
  const { message, culprits = [subject], affected, sample, smallest, body } = finding;
  const share = objects > 1 ? `, and ${affected - 1} of ${objects - 1} other objects` : '';
  const shown = smallest === undefined ? [] : stringify(smallest, { lineWidth: 0 }).trimEnd().split('\n');
  const evidence =
    body === undefined
      ? [
          `  ${paint('dim', `with ${sample}${share}`)}`,
          ...(shown.length === 0 ? [] : [`  ${paint('dim', 'The smallest object that shows it:')}`]),
          ...shown.map((line) => `    ${paint('cyan', line)}`),
        ]
      : [`  ${paint('dim', 'The body that was sent:')}`, `    ${paint('cyan', body || '(empty)')}`];
  return [
    `${paint(['bold', 'red'], `✗ ${check.id}`)}  ${paint('bold', culprits.join(' and '))}`,
    `  ${message}`,
    ...evidence,
    `  ${paint('green', '→')} ${check.fix}`,
  ];
}

function subjectLines(subject: string, results: readonly CheckResult[], paint: Paint): string[] {
  const own = results.filter((result) => result.subject === subject);
  const width = Math.max(...own.map(({ check }) => check.id.length));
  return [
    paint('bold', subject),
    ...own.map(({ check, outcome, objects }) => {
      const mark = paint(COLOURS[outcome], MARKS[outcome]);
      const count =
        outcome === 'skipped' ? 'not tried' : `${objects} ${objects === 1 ? 'object' : 'objects'}`;
      return `  ${mark} ${check.id.padEnd(width)}  ${check.title} ${paint('dim', `(${count})`)}`;
    }),
  ];
}
