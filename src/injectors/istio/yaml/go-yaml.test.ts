import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../sdk/index.ts';
import { parseFully, parseYaml, yamlText } from './go-yaml.ts';
import { ANNOTATION_LIMITS } from './yaml-limits.ts';

// As sigs.k8s.io/yaml 1.6.0 reads them.
test.each([
  ['0644', 420],
  ['0o644', 420],
  ['-0o7', -7],
  ['0o8', '0o8'],
  ['08', 8],
  ['0b11', 3],
  ['0x1F', 31],
  ['1_000', 1000],
  ['1e3', 1000],
  ['e0', 'e0'],
  ['.5', 0.5],
  ['5.', 5],
  ['.', '.'],
  ['-.', '-.'],
  ['+.', '+.'],
  ['12:30', '12:30'],
  ['2020-01-01', '2020-01-01'],
  ['N', false],
  ['On', true],
  ['tRUE', 'tRUE'],
  ['~', null],
])('%s is %j', (text, expected) => {
  expect(parseYaml(`a: ${text}`)).toEqual({ a: expected });
  expect(parseFully(`a: ${text}`)).toEqual({ a: expected });
});

test.each([
  ['a: |\n  x', { a: 'x' }],
  ['a: |\n  x\n', { a: 'x\n' }],
  ['a: |-\n  x', { a: 'x' }],
  ['- |\n  x\n- |\n  y', ['x\n', 'y']],
  ['a: >\n  x\n  y', { a: 'x y' }],
])('a block that the text ends with has a final line break only if the text has: %j', (text, expected) => {
  expect(parseYaml(text)).toEqual(expected);
  expect(parseFully(text)).toEqual(expected);
});

test('writes block style, with lists in the column of their key', () => {
  const value = {
    limits: { cpu: '1', memory: '128Mi' },
    list: [{ a: 1, b: ['x', 'y: z'] }, 'on', '0o7'],
    none: {},
  };
  expect(yamlText(value)).toBe(`limits:
  cpu: "1"
  memory: 128Mi
list:
- a: 1
  b:
  - x
  - "y: z"
- "on"
- "0o7"
none: {}
`);
});

test('reads back what it writes, with both parsers', () => {
  const words = fc.constantFrom(
    '0o7',
    '010',
    '1e3',
    '12:30',
    '2020-01-01',
    'yes',
    '~',
    '=',
    '<<',
    'a\nb',
    ' x',
    '# x',
  );
  // The key of a YAML 1.1 merge cannot be written.
  const keys = fc.oneof(words, fc.string()).filter((key) => key !== '<<');
  const json = fc.letrec<{ value: Json; leaf: Json }>((tie) => ({
    leaf: fc.oneof(words, fc.string(), fc.integer(), fc.boolean(), fc.constant(null)) as fc.Arbitrary<Json>,
    value: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    ) as fc.Arbitrary<Json>,
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const text = yamlText(value);
      expect(parseFully(text)).toEqual(value);
      expect(parseYaml(text)).toEqual(value);
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) },
  );
});

// Users write some of the texts. Each of these blocked or ended the process, or took superlinear time.
describe('limits', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`;

  test.each([
    ['"?" keys in a row', `a: !!x b\n${'? '.repeat(300)}`, 'a collection or "?" as a key'],
    ['a list as a key', '[a]: b', 'a collection or "?" as a key'],
    ['a map as a key in a list', '[{a: b}: c]', 'a collection or "?" as a key'],
    ['nested flow lists', nested(8000), 'nested more than 100 levels deep'],
    ['nested flow maps', '{a: '.repeat(2000), 'nested more than 100 levels deep'],
    ['dashes in a row', '- '.repeat(2000), 'nested more than 100 levels deep'],
    [
      'nested block maps',
      Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
      'nested more than 100 levels deep',
    ],
    ['anchors and aliases', '- &a x\n- *a\n'.repeat(5000), 'more than 100 anchors and aliases'],
    ['commas', `a: [${','.repeat(65_000)}]`, 'more than 2000 tokens'],
    ['a long text', 'a'.repeat(65_537), 'more than 65536 characters'],
  ])('reject %s', (_, text, reason) => {
    expect(() => parseYaml(text, ANNOTATION_LIMITS)).toThrow(reason);
  });

  test.each([1000, 2000, 4000, 6000, 8000])(
    'reject lists nested %i deep without overflowing the stack',
    (depth) => {
      for (let run = 0; run < 5; run++) expect(() => parseYaml(nested(depth))).toThrow('nested more than');
    },
  );

  test.each([
    ['lists nested 99 deep', nested(98)],
    ['a question mark in a text', 'a: what? really'],
    ['a list of maps, some in flow style', 'a:\n- {b: [1, 2], "c": d}\n-\n  - x\n  - y: z'],
    ['an alias', 'a: &x 1\nb: *x'],
  ])('allow %s', (_, text) => {
    expect(parseYaml(text, ANNOTATION_LIMITS)).toEqual(parseFully(text));
  });

  test('are needed: without them, twice as many "?" keys take far more than twice the time', () => {
    const text = (count: number) => `a: !!x b\n${'? '.repeat(count)}`;
    // The first run compiles the parser.
    const best = (count: number) =>
      Math.min(...Array.from({ length: 3 }, () => cpuTime(() => parseFully(text(count)))));
    const twice = best(200);
    expect(twice).toBeGreaterThan(3 * best(100));
    expect(5 * cpuTime(() => tryParse(text(200)))).toBeLessThan(twice);
  });

  test('are needed: without them, nested lists overflow the stack', () => {
    expect(() => parseFully(nested(8000))).toThrow('Maximum call stack size exceeded');
  });

  test('an error names its place', () => {
    expect(() => parseYaml('a: 1\nb: [,]')).toThrow('Unexpected , in flow sequence at line 2, column 5');
  });
});

function tryParse(text: string): unknown {
  try {
    return parseYaml(text, ANNOTATION_LIMITS);
  } catch (error) {
    return error;
  }
}

/** In milliseconds. */
function cpuTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
