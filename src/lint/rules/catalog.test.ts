import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { NOW, withCertificates } from '../certificate-samples.fixture.ts';
import { parseSources } from '../parse-sources.ts';
import { CATEGORIES, type Rule, SEVERITIES } from '../rule.ts';
import { runLint } from '../run-lint.ts';
import { rules } from './catalog.ts';

const OPTIONS = { now: NOW, isLive: false };

/** Findings of one rule. */
function findings(rule: Rule, yaml: string) {
  const { sources } = parseSources(withCertificates(yaml), 'example.yaml');
  expect(sources.length, 'an example has objects').toBeGreaterThan(0);
  return runLint(sources, OPTIONS, [rule]).findings;
}

describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (_, rule) => {
  test.each(rule.bad.map((yaml, index) => [index + 1, yaml] as const))(
    'reports bad example %i, once, on one line',
    (_, yaml) => {
      const found = findings(rule, yaml);
      expect(found.map(({ message }) => message)).toHaveLength(1);
      expect(found[0]?.message).toMatch(/^[^\n]{20,220}$/);
      const severities = found.map(({ severity }) => SEVERITIES.indexOf(severity));
      expect(Math.min(...severities)).toBeGreaterThanOrEqual(SEVERITIES.indexOf(rule.severity));
      expect(found[0]?.message).not.toMatch(/undefined(?! field)|\[object|NaN|\.$/);
    },
  );

  test.each(rule.good.map((yaml, index) => [index + 1, yaml] as const))(
    'accepts good example %i',
    (_, yaml) => {
      expect(findings(rule, yaml).map(({ message }) => message)).toEqual([]);
    },
  );

  test('is documented', () => {
    expect(rule.bad.length).toBeGreaterThan(0);
    expect(rule.good.length).toBeGreaterThan(0);
    expect(CATEGORIES).toContain(rule.category);
    expect(rule.practice).toMatch(/^https:\/\/kubernetes\.io\/docs\/\S+$/);
    for (const text of [rule.title, rule.why, rule.fix]) expect(text.length).toBeGreaterThan(20);
    expect(rule.title).not.toMatch(/\.$/);
  });
});

test('every file of a rule is in the catalogue, under its name', () => {
  const files = readdirSync(new URL('.', import.meta.url))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('catalog'))
    .map((file) => file.replace(/\.ts$/, ''));
  expect(rules.map(({ id }) => id).toSorted()).toEqual(files.toSorted());
});
