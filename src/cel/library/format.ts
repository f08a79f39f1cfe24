import { formatFloat } from '../../golang/format-float.ts';
import { quote } from '../../golang/strconv.ts';
import { toBytes } from '../../golang/utf8.ts';
import { CelError } from '../cel-error.ts';
import { formatFixed, formatScientific } from './format-double.ts';
import { type FormatClause, type FormatVerb, parseFormat, UNEXPECTED_END } from './parse-format.ts';
import { compareText } from './strings.ts';

/** How the engine's values are read. Each accessor is called only for values of the types it names. */
export interface FormatValues<V> {
  /** `int`, `null_type`, `google.protobuf.Timestamp`, … */
  readonly typeName: (value: V) => string;
  /** bool, int, uint, double, string, bytes, timestamp, duration, type: what `string()` returns, or a type's name. */
  readonly text: (value: V) => string;
  /** int, uint. */
  readonly integer: (value: V) => bigint;
  /** double. */
  readonly double: (value: V) => number;
  /** bytes. */
  readonly bytes: (value: V) => Uint8Array;
  /** list. */
  readonly items: (value: V) => Iterable<V>;
  /** map. */
  readonly entries: (value: V) => Iterable<readonly [V, V]>;
}

/** The string function `format` of version 2 of the strings extension. Surplus arguments are ignored. */
export function formatText<V>(format: string, args: readonly V[], values: FormatValues<V>): string {
  let out = '';
  let index = 0;
  for (const { text, clause } of parseFormat(format)) {
    out += text;
    if (clause === undefined) break;
    const arg = args[index];
    if (index >= args.length || arg === undefined) throw new CelError(`index ${index} out of range`);
    if ('problem' in clause) throw new CelError(clause.problem);
    out += formatArgument(clause, arg, values);
    index++;
  }
  return out;
}

/**
 * Checks a literal format against the number of its literal arguments. `check` gets each argument's index and verb and
 * returns a problem of the argument; the returned text is a problem of the whole call.
 */
export function checkFormat<P>(
  format: string,
  count: number,
  check: (index: number, verb: FormatVerb) => P | undefined,
): P | string | undefined {
  let index = 0;
  for (const { clause } of parseFormat(format)) {
    if (clause === undefined) break;
    if ('problem' in clause && clause.problem === UNEXPECTED_END) return clause.problem;
    if (index >= count) return `index ${index} out of range`;
    if ('problem' in clause) return clause.problem;
    const problem = check(index, clause.verb);
    if (problem !== undefined) return problem;
    index++;
  }
  if (count <= index) return undefined;
  return `too many arguments supplied to string.format (expected ${index}, got ${count})`;
}

/** Why a verb cannot format values of a type; undefined if it can. `%s` of a list or map depends on its contents. */
export function verbProblem(verb: FormatVerb, typeName: string): string | undefined {
  const { types, message } = VERBS[verb];
  return types.has(typeName) ? undefined : `error during formatting: ${message}, was given ${typeName}`;
}

const TIMESTAMP = 'google.protobuf.Timestamp';
const DURATION = 'google.protobuf.Duration';
const TEXT_TYPES = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'type', TIMESTAMP, DURATION];

interface Verb {
  readonly types: ReadonlySet<string>;
  readonly message: string;
}

const DOUBLES: ReadonlySet<string> = new Set(['double', 'string']);
const HEX: Verb = {
  types: new Set(['int', 'uint', 'string', 'bytes']),
  message: 'only integers, byte buffers, and strings can be formatted as hex',
};
const VERBS: Readonly<Record<FormatVerb, Verb>> = {
  s: {
    types: new Set([...TEXT_TYPES, 'null_type', 'list', 'map']),
    message:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { types: new Set(['int', 'uint']), message: 'decimal clause can only be used on integers' },
  f: { types: DOUBLES, message: 'fixed-point clause can only be used on doubles' },
  e: { types: DOUBLES, message: 'scientific clause can only be used on doubles' },
  b: {
    types: new Set(['int', 'uint', 'bool']),
    message: 'only integers and bools can be formatted as binary',
  },
  x: HEX,
  X: HEX,
  o: { types: new Set(['int', 'uint']), message: 'octal clause can only be used on integers' },
};

/** Strings that `%f` and `%e` accept. */
const SPECIAL_DOUBLES: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function formatArgument<V>({ verb, precision }: FormatClause, value: V, values: FormatValues<V>): string {
  const typeName = values.typeName(value);
  const problem = verbProblem(verb, typeName);
  if (problem !== undefined) throw new CelError(problem);
  switch (verb) {
    case 's':
      return formatString(value, typeName, values);
    case 'd':
      return values.integer(value).toString();
    case 'f':
      return formatFixed(doubleOf(verb, value, typeName, values), precision);
    case 'e':
      return formatScientific(doubleOf(verb, value, typeName, values), precision);
    case 'b':
      if (typeName === 'bool') return values.text(value) === 'true' ? '1' : '0';
      return values.integer(value).toString(2);
    case 'o':
      return values.integer(value).toString(8);
    default: {
      const hex = hexText(value, typeName, values);
      return verb === 'X' ? hex.toUpperCase() : hex;
    }
  }
}

function doubleOf<V>(verb: 'f' | 'e', value: V, typeName: string, values: FormatValues<V>): number {
  if (typeName === 'double') return values.double(value);
  const special = SPECIAL_DOUBLES.get(values.text(value));
  if (special !== undefined) return special;
  throw new CelError(`error during formatting: ${VERBS[verb].message}, was given string`);
}

function hexText<V>(value: V, typeName: string, values: FormatValues<V>): string {
  if (typeName === 'int' || typeName === 'uint') return values.integer(value).toString(16);
  const bytes = typeName === 'bytes' ? values.bytes(value) : toBytes(values.text(value));
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

function formatString<V>(value: V, typeName: string, values: FormatValues<V>): string {
  switch (typeName) {
    case 'null_type':
      return 'null';
    case 'list':
      return `[${Array.from(values.items(value), (item) => formatMember(item, values)).join(', ')}]`;
    case 'map':
      return formatMap(value, values);
    case 'bytes':
      return formatBytes(value, values);
    default:
      return values.text(value);
  }
}

function formatBytes<V>(value: V, values: FormatValues<V>): string {
  try {
    return values.text(value);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    throw new CelError(`error during formatting: could not convert argument "${error.message}" to string`);
  }
}

function formatMap<V>(map: V, values: FormatValues<V>): string {
  const entries = Array.from(values.entries(map), ([key, value]) => {
    return { key: formatKey(key, values), value: formatMember(value, values) };
  });
  entries.sort((a, b) => compareText(a.key, b.key));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(', ')}}`;
}

function formatKey<V>(key: V, values: FormatValues<V>): string {
  const typeName = values.typeName(key);
  if (typeName === 'string') return quote(values.text(key));
  if (typeName === 'bool' || typeName === 'int' || typeName === 'uint') return values.text(key);
  throw new CelError(`error during formatting: no formatting function for map key of type ${typeName}`);
}

/** A member of a list or map, as a literal of CEL. */
function formatMember<V>(value: V, values: FormatValues<V>): string {
  const typeName = values.typeName(value);
  switch (typeName) {
    case 'string':
      return quote(values.text(value));
    case 'bytes':
      return `b${quote(values.text(value))}`;
    case 'double':
      return formatMemberDouble(values.double(value));
    case TIMESTAMP:
      return `timestamp(${quote(values.text(value))})`;
    case DURATION:
      return `duration(${quote(values.text(value))})`;
    default:
      if (verbProblem('s', typeName) !== undefined)
        throw new CelError(`error during formatting: no formatting function for ${typeName}`);
      return formatString(value, typeName, values);
  }
}

function formatMemberDouble(value: number): string {
  const text = formatFloat(value, 'f', 6);
  return Number.isFinite(value) ? text : `"${text}"`;
}
