import { pathToFileURL } from 'node:url';
import { positionOf, titleOf } from '../model/source.ts';
import type { Finding, Rule, Severity } from '../rule.ts';
import { rules } from '../rules/catalog.ts';
import type { LintReport } from '../run-lint.ts';
import { rulePage } from './rule-page.ts';

/** SARIF 2.1.0, for code scanning. */
export function renderSarif({ findings, ignored, unchecked }: LintReport, toolVersion: string): string {
  const results = [
    ...findings.map((finding) => result(finding)),
    ...ignored.map(({ finding, reason }) => ({
      ...result(finding),
      suppressions: [{ kind: 'inSource', justification: reason }],
    })),
  ];
  const driver = { name: 'podgraft lint', version: toolVersion, rules: rules.map(descriptor) };
  const notifications = unchecked.map(({ subject, why }) => ({
    level: 'warning',
    message: { text: `${subject} is not checked: ${why}` },
  }));
  const invocation = { executionSuccessful: true, toolExecutionNotifications: notifications };
  const run = { tool: { driver }, invocations: [invocation], columnKind: 'utf16CodeUnits', results };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return `${JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

const LEVELS: { readonly [severity in Severity]: string } = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

function descriptor(rule: Rule) {
  return {
    id: rule.id,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.why.replaceAll('\n', ' ') },
    help: { text: rule.fix, markdown: rulePage(rule) },
    helpUri: rule.practice,
    defaultConfiguration: { level: LEVELS[rule.severity] },
    properties: { tags: [rule.category] },
  };
}

function result({ rule, severity, message, source, path }: Finding) {
  const position = positionOf(source, path);
  const fullyQualifiedName = `${titleOf(source)} ${path}`.trim();
  const region = position && { startLine: position.line, startColumn: position.column };
  const physicalLocation = position && {
    artifactLocation: { uri: uriOf(position.file) },
    region,
  };
  return {
    ruleId: rule.id,
    ruleIndex: rules.indexOf(rule),
    level: LEVELS[severity],
    message: { text: message },
    locations: [
      { ...(physicalLocation && { physicalLocation }), logicalLocations: [{ fullyQualifiedName }] },
    ],
  };
}

/** Relative paths stay relative, so that they mean files of the repository. */
function uriOf(file: string): string {
  if (file.startsWith('/')) return pathToFileURL(file).href;
  return file.split('/').map(encodeURIComponent).join('/');
}
