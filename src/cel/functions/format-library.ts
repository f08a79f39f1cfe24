import { method, overload } from '../declarations.ts';
import { type FormatValues, formatText } from '../library/format.ts';
import { NAMED_FORMATS } from '../library/named-formats.ts';
import { DYN, listOf, optionalOf, STRING, struct } from '../types.ts';
import { FormatValue } from '../values/library-values.ts';
import { entriesOf, isMap } from '../values/maps.ts';
import { NONE, Optional } from '../values/optional.ts';
import { costSize } from '../values/size.ts';
import { integerOf, numberOf, TypeValue, typeNameOf } from '../values/values.ts';
import { spendWork } from '../work.ts';
import { textOf } from './conversion-library.ts';
import { matching, tenths } from './cost.ts';
import type { Library } from './merge-libraries.ts';

/** The slowest format is that of URLs. */
const VALIDATION_WORK = 20;

const FORMAT = struct('kubernetes.NamedFormat');

/** The string function `format`, and named formats. */
export const formatLibrary: Library = [
  {
    name: 'format',
    work: ([template]) => 100 + 5 * costSize(template),
    overloads: [method('string_format', [STRING, listOf(DYN)], STRING, format, ([format]) => tenths(format))],
  },
  ...Array.from(NAMED_FORMATS, ([name, format]) => ({
    name: `format.${name}`,
    overloads: [overload(`format.${name}`, [], FORMAT, () => new FormatValue(format))],
  })),
  {
    name: 'format.named',
    overloads: [overload('format-named', [STRING], optionalOf(FORMAT), (name) => named(String(name)))],
  },
  {
    name: 'validate',
    cost: ([format, text]) =>
      format instanceof FormatValue ? matching(text, format.content.patternLength) : 1,
    work: ([, text]) => 300 + VALIDATION_WORK * costSize(text),
    overloads: [method('format-validate', [FORMAT, STRING], optionalOf(listOf(STRING)), validate)],
  },
];

/** Prints whole objects at a cost of one unit, so reading them is counted. */
function format(template: unknown, args: unknown): string {
  return formatText(String(template), Array.isArray(args) ? args : [], VALUES);
}

function named(name: string): Optional {
  const format = NAMED_FORMATS.get(name);
  return format === undefined ? NONE : new Optional(new FormatValue(format));
}

function validate(format: unknown, text: unknown): Optional {
  const problems = format instanceof FormatValue ? format.content.problems(String(text)) : [];
  return problems.length === 0 ? NONE : new Optional(problems);
}

function printed(value: unknown): string {
  const text = value instanceof TypeValue ? value.name : textOf(value);
  spendWork(2 * text.length);
  return text;
}

const VALUES: FormatValues<unknown> = {
  typeName: typeNameOf,
  text: printed,
  integer: (value) => integerOf(value) ?? 0n,
  double: (value) => {
    spendWork(500);
    return numberOf(value) ?? Number.NaN;
  },
  bytes: (value) => (value instanceof Uint8Array ? value : new Uint8Array()),
  items: (value) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    spendWork(30 * items.length);
    return items;
  },
  entries: (value) => {
    spendWork(60 * (costSize(value) + 1));
    return isMap(value) ? entriesOf(value) : [];
  },
};
