import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { KUBERNETES_SCHEMA, toYaml } from './kubernetes-yaml.ts';

const read = (text: string): unknown => parse(text, { schema: KUBERNETES_SCHEMA });

/** Compared with sigs.k8s.io/yaml 1.6.0 on go.yaml.in/yaml/v2 2.4.2. */
const SCALARS: readonly (readonly [string, null | boolean | number | string])[] = [
  ['', null],
  ['~', null],
  ['NULL', null],
  ['nULL', 'nULL'],
  ['y', true],
  ['Yes', true],
  ['yES', 'yES'],
  ['on', true],
  ['TRUE', true],
  ['tRUE', 'tRUE'],
  ['N', false],
  ['no', false],
  ['Off', false],
  ['False', false],
  ['nil', 'nil'],
  ['=', '='],
  ['0', 0],
  ['-0', 0],
  ['+8', 8],
  ['0400', 256],
  ['-0644', -420],
  ['00', 0],
  ['08', 8],
  ['07.5', 7.5],
  ['0o17', 15],
  ['0O17', 15],
  ['0o8', '0o8'],
  ['0x1F', 31],
  ['0X1f', 31],
  ['0x', '0x'],
  ['0x1.8p1', '0x1.8p1'],
  ['0b11', 3],
  ['0B11', 3],
  ['0b-1', -1],
  ['0b2', '0b2'],
  ['1_000', 1000],
  ['1__0_', 10],
  ['_1', '_1'],
  ['0_x1', 1],
  ['1.50', 1.5],
  ['5.', 5],
  ['.5', 0.5],
  ['.5_0', 0.5],
  ['._5', '._5'],
  ['-._5', -0.5],
  ['.', '.'],
  ['-.', '-.'],
  ['1e3', 1000],
  ['1_e5', 100_000],
  ['e0', 'e0'],
  ['1e', '1e'],
  ['1e400', '1e400'],
  ['1.2.3', '1.2.3'],
  ['--1', '--1'],
  ['10m', '10m'],
  ['1,000', '1,000'],
  ['12:30', '12:30'],
  ['2020-01-01', '2020-01-01'],
  ['0xffffffffffffffff', 2 ** 64],
  ['0x10000000000000000', '0x10000000000000000'],
  ['02000000000000000000000', 2e21],
  ['99999999999999999999', 1e20],
  ['-.nan', '-.nan'],
  ['inf', 'inf'],
];

describe('plain scalars', () => {
  test.each(SCALARS)('%s is %j', (text, value) => {
    expect(read(`a: ${text}\n`)).toEqual({ a: value });
  });

  test('are the names of keys, too', () => {
    expect(read('yes: 1\n0400: 2\n1.10: 3\n')).toEqual({ true: 1, 256: 2, 1.1: 3 });
  });

  test.each(['.inf', '-.INF', '.NaN'])('%s is an error, since JSON has no such number', (text) => {
    expect(() => read(`a: ${text}\n`)).toThrow(`${text} has no equivalent in JSON`);
  });

  test('with a tag are read as their tag says', () => {
    expect(read('[!!str 0400, !!int "0400", !!bool "yes", !!float 1]')).toEqual(['0400', 256, true, 1]);
  });

  test('take linear time', () => {
    for (const piece of ['1', '_', '1_', '.', '-', '0x', 'e', '1e', 'y']) {
      const text = `${'1'}${piece.repeat(200_000)}!`;
      const start = performance.now();
      expect(read(`a: ${text}`)).toEqual({ a: text });
      expect(performance.now() - start).toBeLessThan(1000);
    }
  });
});

test.each(['yes', 'multi\nyes', "'0400'", '"0400"', '|-\n  0400', '!!str on'])(
  'quoted scalars, blocks and scalars of several lines are strings unless they are one word: %j',
  (text) => {
    const word = text === 'yes';
    expect(typeof (read(`a: ${text.replace('\n', '\n ')}\n`) as { a: unknown }).a).toBe(
      word ? 'boolean' : 'string',
    );
  },
);

test.each(SCALARS)('toYaml quotes %j where it would be read as something else', (text) => {
  const value = { a: text, list: [text], [text]: 'x' };
  expect(read(toYaml(value))).toEqual(value);
});

test('toYaml leaves other strings plain', () => {
  const text = 'a: 10m\nb: 1.2.3\nc: nil\nd: --x\ne: v1\nf: 100\ng: true\nh: null\n';
  expect(toYaml(read(text))).toBe(text);
});
