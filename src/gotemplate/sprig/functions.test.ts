import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { execute, parseTemplate } from '../template.ts';
import { sprigFunctions } from './functions.ts';
import type { RegexpEngine } from './regexp.ts';
import { UNAVAILABLE } from './unavailable.ts';

const types = JSON.parse(
  readFileSync(new URL('../testdata/generated/sprig-types.json', import.meta.url), 'utf8'),
) as Record<string, string>;

describe('sprigFunctions', () => {
  const functions = sprigFunctions();

  test('has every name of sprig and no other', () => {
    expect(Object.keys(functions).sort()).toEqual(Object.keys(types).sort());
  });

  test('gives each function the type that it has in Go', () => {
    const available = Object.entries(functions).filter(([name]) => !Object.hasOwn(UNAVAILABLE, name));
    const mine = Object.fromEntries(available.map(([name, { goType }]) => [name, goType]));
    expect(mine).toEqual(Object.fromEntries(available.map(([name]) => [name, types[name]])));
  });

  test('fails when a function that needs the outside is called, not when it is named', () => {
    const template = parseTemplate('t', '{{ if . }}{{ now }}{{ end }}', { functions });
    expect(execute(template, false)).toBe('');
    expect(() => execute(template, true)).toThrow(
      'error calling now: now is not available in these templates',
    );
  });
});

describe('regular expressions', () => {
  const text =
    '{{ regexMatch "b+" . }} {{ regexFind "b+" . }} {{ regexFindAll "b+" . -1 }} {{ regexReplaceAll "b+" . "<$0>" }} {{ regexReplaceAllLiteral "b+" . "$" }} {{ regexSplit "b+" . -1 }} {{ regexSplit "b+" . 2 }}';

  test('are left out without an engine that is safe to run', () => {
    const template = parseTemplate('t', text, { functions: sprigFunctions() });
    expect(() => execute(template, 'abc')).toThrow(
      'regular expressions are not available in these templates',
    );
  });

  test('run on the engine that the host passes in', () => {
    const template = parseTemplate('t', text, { functions: sprigFunctions({ regexp: runsOfB }) });
    expect(execute(template, 'abbcbd')).toBe('true bb [bb b] a<bb>c<b>d a$c$d [a c d] [a cbd]');
  });
});

const runsOfB: RegexpEngine = {
  findAll: (_, text, limit) => {
    const found = [...text.matchAll(/b+/g)].map(({ index, 0: match }): [number, number] => [
      index,
      index + match.length,
    ]);
    return limit < 0 ? found : found.slice(0, limit);
  },
  replaceAll: (_, text, replacement) => text.replace(/b+/g, (match) => replacement.replace('$0', match)),
};
