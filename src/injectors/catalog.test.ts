import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../pipeline/pipeline.ts';
import { readCases } from '../testing/cases.ts';
import { checkCase } from '../testing/check-case.ts';
import { builtinNames, loadCatalog } from './catalog.ts';

const catalog = await loadCatalog();

/** Every injector must work with its neighbours, as their first case configures them. */
const configured = new Map(
  await Promise.all(catalog.map(async ({ name }) => [name, await entryOf(name)] as const)),
);

describe.each(catalog.map((injector) => [injector.name, injector] as const))('%s', (name, injector) => {
  const cases = casesOf(name);

  test('has cases', () => {
    expect(cases.length).toBeGreaterThan(0);
  });

  test.each(cases.map((testCase) => [testCase.name, testCase] as const))('case %s', (_, testCase) => {
    const companions = [...configured].flatMap(([other, entry]) => (other === name || !entry ? [] : [entry]));
    return checkCase(injector, testCase, { companions });
  });
});

test('every injector is listed under its own name', () => {
  expect(catalog.map(({ name }) => name)).toEqual(builtinNames);
});

function casesOf(name: string) {
  const folder = new URL(`./${name}/cases/`, import.meta.url);
  return existsSync(folder) ? readCases(folder) : [];
}

async function entryOf(name: string): Promise<Entry | undefined> {
  const injector = catalog.find((candidate) => candidate.name === name);
  const [first] = casesOf(name);
  if (injector === undefined || first === undefined) return undefined;
  const { match, with: raw } = first.settings;
  await injector.prepare?.(raw);
  return { name, injector, config: injector.config?.(raw), ...(match && { match }) };
}
