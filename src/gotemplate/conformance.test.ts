import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sprigFunctions } from './sprig/functions.ts';
import { execute, parseTemplate, specializeTemplate, type Template } from './template.ts';
import { TemplateError } from './template-error.ts';
import { typed } from './testdata/sample-host.ts';

interface Case {
  template: string;
  data: number;
  output: string;
  error?: string;
  phase?: 'parse' | 'execute';
}

const functions = sprigFunctions();

/** The result in the form of Go's, whose parse errors have no column. */
function render(
  template: string,
  data: unknown,
  prepare: (parsed: Template) => Template = (parsed) => parsed,
): { output?: string; error?: string; phase?: string } {
  try {
    return { output: execute(prepare(parseTemplate('t', template, { functions })), typed(data)) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { phase, template: name, line, reason } = error;
    return { phase, error: phase === 'parse' ? `template: ${name}:${line}: ${reason}` : error.message };
  }
}

describe.each(['syntax', 'printing', 'sprig', 'generated'])('%s cases render as in Go', (group) => {
  const file = new URL(`testdata/generated/${group}.json`, import.meta.url);
  const { data, cases } = JSON.parse(readFileSync(file, 'utf8')) as { data: unknown[]; cases: Case[] };
  test.each(cases.map((entry, i) => [i, entry.template, entry] as const))('%i: %s', (_i, template, entry) => {
    const { output, error, phase } = entry;
    expect(render(template, data[entry.data])).toEqual(error === undefined ? { output } : { error, phase });
  });

  test.each([
    ['all', () => true],
    ['every other', (_: string, at: number) => at % 2 === 0],
    ['none', () => false],
  ])('the same after specializing for %s of the fields', (_, isKnown) => {
    for (const { template, data: at, output, error, phase } of cases) {
      const root = data[at];
      const fields = new Set(Object.keys(Object(root)).filter(isKnown));
      const known = { fields, lookups: {}, isKnownKey: () => true };
      const specialize = (parsed: Template) => specializeTemplate(parsed, typed(root), known);
      expect(render(template, root, specialize), template).toEqual(
        error === undefined ? { output } : { error, phase },
      );
    }
  });
});
