import { writeFileSync } from 'node:fs';
import { closest } from '../closest.ts';
import { fixFiles } from '../lint/fix-files.ts';
import { createInventory, type InventoryOptions } from '../lint/model/inventory.ts';
import type { Source } from '../lint/model/source.ts';
import { renderGithub } from '../lint/output/github.ts';
import { renderHtml } from '../lint/output/html.ts';
import { renderJson } from '../lint/output/json.ts';
import { rulePage } from '../lint/output/rule-page.ts';
import { renderSarif } from '../lint/output/sarif.ts';
import { renderTable } from '../lint/output/table.ts';
import { parseSources } from '../lint/parse-sources.ts';
import { rules } from '../lint/rules/catalog.ts';
import { isBlind, type LintReport, runLint } from '../lint/run-lint.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { version } from '../version.ts';
import { readLintCluster } from './read-lint-cluster.ts';
import { readLintFiles } from './read-lint-files.ts';
import { readPresentedCertificates } from './read-presented-certificates.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface LintOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly output: 'table' | 'json' | 'sarif' | 'github' | 'html';
  readonly failOn: 'warning' | 'error';
  readonly fix?: true;
  readonly connect?: true;
  readonly explain?: string;
}

/** Checks webhook configurations of files or of a cluster, and prints the findings. */
export async function lint(paths: readonly string[], options: LintOptions): Promise<void> {
  if (options.explain !== undefined) {
    process.stdout.write(rulePage(ruleNamed(options.explain)));
    return;
  }
  checkUsage(paths, options);
  const isLive = paths.length === 0;
  const report = isLive ? await lintCluster(options) : await lintFiles(paths, options);
  // Nothing was read, and the error has been reported.
  const isEmpty = report.webhooks + report.findings.length === 0 && process.exitCode === 1;
  if (!isEmpty || options.output !== 'table') process.stdout.write(render(report, options.output));
  const failing = options.failOn === 'error' ? ['error'] : ['error', 'warning'];
  if (report.findings.some(({ severity }) => failing.includes(severity))) process.exitCode = 1;
  if (isBlind(report)) process.exitCode = 1;
}

function ruleNamed(id: string) {
  const found = rules.find((rule) => rule.id === id);
  if (found !== undefined) return found;
  const names = rules.map((rule) => rule.id);
  const guess = closest(id, names);
  const hint = guess === undefined ? `one of ${names.join(', ')}` : `did you mean "${guess}"?`;
  throw new PodgraftError('USAGE', `Unknown rule "${id}": ${hint}`);
}

function checkUsage(paths: readonly string[], { context, kubeconfig, fix }: LintOptions): void {
  const isCluster = context !== undefined || kubeconfig !== undefined;
  const refuse = (message: string) => new PodgraftError('USAGE', message);
  if (paths.length > 0 && isCluster) throw refuse('Give either files or --context, not both');
  if (paths.length === 0 && !isCluster)
    throw refuse('Nothing to check: give files, folders, -, or --context');
  if (fix && isCluster) throw refuse('--fix needs files: it does not change a cluster');
  if (fix && paths.includes('-')) throw refuse('--fix needs files: it cannot change standard input');
}

async function lintCluster(options: LintOptions): Promise<LintReport> {
  const { sources, unchecked } = await readLintCluster(options);
  return lintSources(sources, { isLive: true, now: new Date(), unchecked }, options);
}

async function lintSources(
  sources: readonly Source[],
  inventory: InventoryOptions,
  { connect }: LintOptions,
): Promise<LintReport> {
  if (!connect) return runLint(sources, inventory);
  const { presented, unchecked } = await readPresentedCertificates(createInventory(sources, inventory));
  return runLint(sources, {
    ...inventory,
    presented,
    unchecked: [...(inventory.unchecked ?? []), ...unchecked],
  });
}

async function lintFiles(paths: readonly string[], options: LintOptions): Promise<LintReport> {
  const texts = readLintFiles(paths, (message) => {
    process.stderr.write(`error: ${message}\n`);
    process.exitCode = 1;
  });
  const inventory = { isLive: false, now: new Date() };
  if (options.fix) {
    for (const { file, before, after } of fixFiles(texts, inventory)) {
      writeFileSync(file, after);
      texts.set(file, after);
      process.stderr.write(unifiedDiff(file, before, after, { colour: process.stderr.isTTY }));
    }
  }
  const sources = [...texts].flatMap(([file, text]) => parseSources(text, file).sources);
  return lintSources(sources, inventory, options);
}

function render(report: LintReport, output: LintOptions['output']): string {
  switch (output) {
    case 'table':
      return renderTable(report, process.stdout.isTTY);
    case 'json':
      return renderJson(report);
    case 'sarif':
      return renderSarif(report, version());
    case 'github':
      return renderGithub(report);
    case 'html':
      return renderHtml(report);
  }
}
