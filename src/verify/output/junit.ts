import { stringify } from 'yaml';
import type { CheckResult, VerifyReport } from '../run-verify.ts';

/** One suite a webhook, one case a check. */
export function renderJunit({ results }: VerifyReport): string {
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  const suites = subjects.map((subject) => {
    const own = results.filter((result) => result.subject === subject);
    const count = (outcome: CheckResult['outcome']) => own.filter((each) => each.outcome === outcome).length;
    const head = `name="${escapeXml(subject)}" tests="${own.length}" failures="${count('failed')}" skipped="${count('skipped')}"`;
    return `  <testsuite ${head}>\n${own.map(testCase).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="podgraft verify">\n${suites.join('')}</testsuites>\n`;
}

function testCase({ check, subject, outcome, finding }: CheckResult): string {
  const head = `    <testcase classname="${escapeXml(subject)}" name="${escapeXml(`${check.id}: ${check.title}`)}"`;
  if (outcome === 'passed') return `${head}/>\n`;
  if (outcome === 'skipped' || finding === undefined) return `${head}><skipped/></testcase>\n`;
  const { message, sample, smallest, body } = finding;
  const object = smallest === undefined ? '' : `\n${stringify(smallest)}`;
  const text = `${message}\n${body ?? `${sample}${object}`}`;
  return `${head}><failure message="${escapeXml(message)}">${escapeXml(text)}</failure></testcase>\n`;
}

/** XML 1.0 has no control characters but tab and line breaks, not even escaped ones. */
function escapeXml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
