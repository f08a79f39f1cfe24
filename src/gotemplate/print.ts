import { printFloat } from '../golang/format-float.ts';
import { NO_FLAGS } from './format-flags.ts';
import { formatArg } from './format-value.ts';
import type { Meter } from './meter.ts';
import { kindOf } from './types.ts';
import { Struct, type Value } from './values.ts';

/** The text of a value in the output: fmt.Print, but pointers are dereferenced and nil is "<no value>". */
export function printValue(value: Value, meter: Meter): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printFloat(value);
  if (value === undefined || value === null) return '<no value>';
  return printOne(pointee(value), meter);
}

/** fmt.Sprint: adds a space between operands when neither is a string. */
export function sprint(args: readonly Value[], meter: Meter): string {
  let out = '';
  let afterString = true;
  for (const arg of args) {
    const isString = kindOf(arg) === 'string';
    if (!isString && !afterString) out += ' ';
    out += printOne(arg, meter);
    afterString = isString;
  }
  return out;
}

export function sprintln(args: readonly Value[], meter: Meter): string {
  return `${args.map((arg) => printOne(arg, meter)).join(' ')}\n`;
}

/** Dereferences a non-nil pointer. Other values are returned unchanged. */
export function pointee(value: Value): Value {
  if (!(value instanceof Struct) || value.kind !== 'ptr' || value.raw === null) return value;
  return new Struct('struct', value.type, value.raw);
}

/** %v of one value. */
export function printOne(value: Value, meter: Meter): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printFloat(value);
  return formatArg(value, 'v', NO_FLAGS, meter);
}
