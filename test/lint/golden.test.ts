import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { positionOf } from '../../src/lint/model/source.ts';
import { parseSources } from '../../src/lint/parse-sources.ts';
import { type LintReport, runLint } from '../../src/lint/run-lint.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Exactly the findings in the file beside each manifest. Run with UPDATE_GOLDENS=1 to write them, then review them. */
describe.each(['bad', 'well-known'])('the configurations in %s', (kind) => {
  const files = readdirSync(`${folder}${kind}`).filter((file) => file.endsWith('.yaml'));

  test.each(files)('%s has exactly the expected findings', (file) => {
    const path = `${folder}${kind}/${file}`;
    const report = runLint(parseSources(readFileSync(path, 'utf8'), file).sources, {
      isLive: false,
      now: new Date('2026-06-01'),
    });
    const golden = path.replace(/yaml$/, 'txt');
    if (process.env.UPDATE_GOLDENS) writeFileSync(golden, listing(report));
    expect(listing(report)).toBe(readFileSync(golden, 'utf8'));
  });
});

test('well-known projects have no finding that calls them broken, except where they intercept heartbeats and access reviews', () => {
  const goldens = readdirSync(`${folder}well-known`).filter((file) => file.endsWith('.txt'));
  const errors = goldens.flatMap((file) =>
    [...readFileSync(`${folder}well-known/${file}`, 'utf8').matchAll(/^ *\d+ error +(\S+)/gm)].map(
      ([, rule]) => `${file} ${rule}`,
    ),
  );
  expect(errors).toEqual(['gatekeeper.txt node-leases', 'gatekeeper.txt access-reviews']);
});

function listing({ score, findings, ignored }: LintReport): string {
  const lines = findings.flatMap(({ source, path, severity, rule, message, drawing = [] }) => [
    `${String(positionOf(source, path)?.line).padStart(4)} ${severity.padEnd(7)} ${rule.id.padEnd(21)} ${message}`,
    ...drawing.map((line) => `     ${line}`),
  ]);
  const silenced = ignored.map(({ finding, reason }) => `ignored ${finding.rule.id}: ${reason}`);
  return `${[`score ${score}`, ...lines, ...silenced].join('\n')}\n`;
}
