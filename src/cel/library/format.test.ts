import { describe, expect, test } from 'vitest';
import { doubleToString } from './conversions.ts';
import { checkFormat, type FormatValues, formatText, verbProblem } from './format.ts';

/** Values with their type beside them, as an engine might have. */
interface Typed {
  readonly type: string;
  readonly value: unknown;
}

const of = (type: string) => (value: unknown) => ({ type, value });
const string = of('string');
const int = of('int');
const uint = of('uint');
const double = of('double');
const bool = of('bool');
const bytes = of('bytes');
const list = of('list');
const map = of('map');
const nothing = { type: 'null_type', value: null };
const timestamp = of('google.protobuf.Timestamp')('2026-03-01T12:00:00Z');
const duration = of('google.protobuf.Duration')('5400s');

const values: FormatValues<Typed> = {
  typeName: ({ type }) => type,
  text: ({ type, value }) => {
    if (type === 'double') return doubleToString(value as number);
    return type === 'bytes' ? new TextDecoder().decode(value as Uint8Array) : String(value);
  },
  integer: ({ value }) => value as bigint,
  double: ({ value }) => value as number,
  bytes: ({ value }) => value as Uint8Array,
  items: ({ value }) => value as Typed[],
  entries: ({ value }) => value as [Typed, Typed][],
};
const format = (text: string, ...args: Typed[]) => formatText(text, args, values);

test.each<[string, Typed[], string]>([
  ['%s is %d%%', [string('a'), int(5n)], 'a is 5%'],
  ['%s %s %s %s', [nothing, bool(true), double(1.5), bytes(Uint8Array.of(104, 105))], 'null true 1.5 hi'],
  ['%s %s', [timestamp, duration], '2026-03-01T12:00:00Z 5400s'],
  ['%d %d', [int(-(2n ** 63n)), uint(2n ** 64n - 1n)], '-9223372036854775808 18446744073709551615'],
  ['%b %b %b', [int(-5n), uint(5n), bool(false)], '-101 101 0'],
  ['%o %x %X', [int(8n), int(-255n), uint(255n)], '10 -ff FF'],
  ['%x %X', [string('é'), bytes(Uint8Array.of(1, 171))], 'c3a9 01AB'],
  ['no clause', [int(1n)], 'no clause'],
])('%s is formatted', (text, args, expected) => {
  expect(format(text, ...args)).toBe(expected);
});

test.each<[string, number, string]>([
  ['%f', 1234567.891, '1,234,567.891000'],
  ['%.2f', -1234.5, '-1,234.50'],
  ['%.0f', 2.5, '2'],
  ['%.1f', 0.25, '0.2'],
  ['%f', -0, '0.000000'],
  ['%f', Number.NEGATIVE_INFINITY, '-∞'],
  ['%f', Number.NaN, 'NaN'],
  ['%e', 1234.5, '1.234500×10⁰³'],
  ['%e', -0.000015, '-1.500000×10⁻⁰⁵'],
  ['%e', 1e100, '1.000000×10¹⁰⁰'],
  ['%e', 0, '0.000000×10⁰⁰'],
  ['%.20e', 1.5, '       1.500000×10⁰⁰'],
  ['%e', Number.POSITIVE_INFINITY, '     ∞'],
])('%s of %d is %j, as American English writes it', (text, value, expected) => {
  expect(format(text, double(value))).toBe(expected);
});

test('doubles may be given by name', () => {
  expect(format('%f %f %.0e', string('NaN'), string('Infinity'), string('-Infinity'))).toBe('NaN ∞ -∞');
  expect(() => format('%f', string('1.5'))).toThrow(
    'error during formatting: fixed-point clause can only be used on doubles, was given string',
  );
});

test('members of lists and maps are printed as literals', () => {
  const members = [
    string('a"b'),
    double(1.5),
    double(Number.NaN),
    nothing,
    bytes(Uint8Array.of(120)),
    timestamp,
    duration,
  ];
  expect(format('%s', list(members))).toBe(
    '["a\\"b", 1.500000, "NaN", null, b"x", timestamp("2026-03-01T12:00:00Z"), duration("5400s")]',
  );
  const entries = [
    [string('b'), list([int(1n)])],
    [bool(true), uint(2n)],
    [string('a'), map([])],
  ];
  expect(format('%s', map(entries))).toBe('{"a":{}, "b":[1], true:2}');
});

test.each<[string, Typed[], string]>([
  ['%s %s', [int(1n)], 'index 1 out of range'],
  ['%', [], 'index 0 out of range'],
  ['%', [int(1n)], 'unexpected end of string'],
  ['%5d', [int(1n)], 'could not parse formatting clause: unrecognized formatting clause "5"'],
  ['%é', [int(1n)], 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
  [
    '%.3',
    [int(1n)],
    'could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
  ],
  [
    '%.f',
    [double(1)],
    'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
  ],
  [
    '%d',
    [double(1)],
    'error during formatting: decimal clause can only be used on integers, was given double',
  ],
  ['%s', [of('optional_type')(0)], 'and timestamps, was given optional_type'],
  ['%s', [list([of('net.IP')(0)])], 'error during formatting: no formatting function for net.IP'],
  [
    '%s',
    [map([[double(1), int(1n)]])],
    'error during formatting: no formatting function for map key of type double',
  ],
  ['%.99999999f', [double(1)], 'operation cancelled: actual cost limit exceeded'],
])('%s fails', (text, args, message) => {
  expect(() => format(text, ...args)).toThrow(message);
});

describe('a literal format', () => {
  const accept = () => undefined;

  test.each<[string, number, string | undefined]>([
    ['%s %d', 2, undefined],
    ['%s', 2, 'too many arguments supplied to string.format (expected 1, got 2)'],
    ['%s %s', 1, 'index 1 out of range'],
    ['100%', 0, 'unexpected end of string'],
    ['%5d', 0, 'index 0 out of range'],
    ['%5d', 1, 'could not parse formatting clause: unrecognized formatting clause "5"'],
  ])('%s with %i arguments: %s', (text, count, expected) => {
    expect(checkFormat(text, count, accept)).toBe(expected);
  });

  test('is checked by the types of its arguments', () => {
    const types = ['int', 'string'];
    const check = (index: number, verb: Parameters<typeof verbProblem>[0]) => {
      const problem = verbProblem(verb, types[index] ?? '');
      return problem === undefined ? undefined : { index, problem };
    };
    expect(checkFormat('%d %s', 2, check)).toBeUndefined();
    expect(checkFormat('%d %d', 2, check)).toEqual({
      index: 1,
      problem: 'error during formatting: decimal clause can only be used on integers, was given string',
    });
  });
});
