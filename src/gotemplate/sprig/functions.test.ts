import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { execute, parseTemplate } from '../template.ts';
import { sprigFunctions } from './functions.ts';
import { UNAVAILABLE } from './unavailable.ts';

const types = JSON.parse(
  readFileSync(new URL('../testdata/generated/sprig-types.json', import.meta.url), 'utf8'),
) as Record<string, string>;

describe('sprigFunctions', () => {
  const functions = sprigFunctions();

  test('has exactly the names of sprig', () => {
    expect(Object.keys(functions).sort()).toEqual(Object.keys(types).sort());
  });

  test('has the Go type of each function', () => {
    const available = Object.entries(functions).filter(([name]) => !Object.hasOwn(UNAVAILABLE, name));
    const own = Object.fromEntries(available.map(([name, { goType }]) => [name, goType]));
    expect(own).toEqual(Object.fromEntries(available.map(([name]) => [name, types[name]])));
  });

  test('fails when an unavailable function is called, with the reason, not when it is mentioned', () => {
    const template = parseTemplate('t', '{{ if . }}{{ now }}{{ end }}', { functions });
    expect(execute(template, false)).toBe('');
    expect(() => execute(template, true)).toThrow(
      'error calling now: now is not available in these templates: it depends on the clock',
    );
  });

  test.each([
    [
      '{{ date "2006" "x" }}',
      'the present time is not available in these templates: expected a time or an integer',
    ],
    [
      '{{ htmlDate nil }}',
      'the present time is not available in these templates: expected a time or an integer',
    ],
    ['{{ durationRound (toDate "2006" "2020") }}', 'the present time is not available in these templates'],
    [
      '{{ dateInZone "2006" 0 "Europe/Berlin" }}',
      'time zone "Europe/Berlin" is not available in these templates: expected "UTC" or "Local"',
    ],
  ])('%s fails, because it depends on clock or zone', (text, reason) => {
    expect(() => execute(parseTemplate('t', text, { functions }), {})).toThrow(reason);
  });
});
