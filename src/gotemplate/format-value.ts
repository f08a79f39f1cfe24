import { isMap, itemsOf, mapGet, sortedKeys, structField } from './containers.ts';
import { formatBasic } from './format-basic.ts';
import { type Flags, pad } from './format-flags.ts';
import type { Func } from './func.ts';
import { type Meter, textCost } from './meter.ts';
import { stringerText } from './methods.ts';
import { isNil, kindOf, typeOf, underlying } from './types.ts';
import { GoMap, Slice, Struct, type Value } from './values.ts';

/** One operand of fmt under one verb, as %v, %+v, %#v, %s, %d and the others print it. */
export function formatArg(value: Value, verb: string, flags: Flags, meter: Meter): string {
  if (value === null || value === undefined) {
    return verb === 'v' || verb === 'T' ? pad('<nil>', flags) : `%!${verb}(<nil>)`;
  }
  if (verb === 'T') return formatBasic(typeOf(value), 's', flags) ?? '';
  return formatAt(value, { verb, flags, meter, plain: false }, 0);
}

interface Job {
  readonly verb: string;
  readonly flags: Flags;
  readonly meter: Meter;
  /** Set while reporting a bad verb, where fmt does not ask values for their String. */
  readonly plain: boolean;
}

function formatAt(value: Value, job: Job, depth: number): string {
  job.meter.spend(1);
  const sharpV = job.flags.mode === '#';
  if (value === null || value === undefined) return sharpV ? 'interface {}(nil)' : '<nil>';
  if (!sharpV && !job.plain && 'vsxXq'.includes(job.verb)) {
    const text = stringerText(value);
    if (text !== undefined) return formatBasic(text, job.verb, job.flags) ?? '';
  }
  const items = itemsOf(value);
  if (items !== undefined) return formatSlice(value, items, job, depth);
  if (isMap(value)) return formatMap(value, job, depth);
  if (value instanceof Struct) return formatStruct(value, job, depth);
  if (kindOf(value) === 'func') return sharpV ? `(${(value as Func).goType})(0x1)` : '0x1';
  const plain = underlying(value);
  if (typeof plain === 'string') job.meter.spend(textCost(plain));
  const text = formatBasic(plain, job.verb, job.flags);
  return text ?? badVerb(value, job);
}

function badVerb(value: Value, job: Job): string {
  return `%!${job.verb}(${typeOf(value)}=${formatAt(value, { ...job, verb: 'v', plain: true }, 0)})`;
}

function formatSlice(value: Value, items: readonly Value[], job: Job, depth: number): string {
  const parts = items.map((item) => formatAt(item, job, depth + 1));
  if (!(job.flags.mode === '#')) return `[${parts.join(' ')}]`;
  if (value instanceof Slice && isNil(value)) return `${value.goType}(nil)`;
  return `${typeOf(value)}{${parts.join(', ')}}`;
}

function formatMap(value: Value, job: Job, depth: number): string {
  if (!isMap(value)) return '';
  const sharpV = job.flags.mode === '#';
  if (sharpV && value instanceof GoMap && isNil(value)) return `${value.goType}(nil)`;
  const parts = sortedKeys(value).map(
    (key) => `${formatAt(key, job, depth + 1)}:${formatAt(mapGet(value, key), job, depth + 1)}`,
  );
  return sharpV ? `${typeOf(value)}{${parts.join(', ')}}` : `map[${parts.join(' ')}]`;
}

function formatStruct(value: Struct, job: Job, depth: number): string {
  const sharpV = job.flags.mode === '#';
  if (value.raw === null) return sharpV ? `(${value.goType})(nil)` : pad('<nil>', job.flags);
  // Below the top fmt prints addresses, which say nothing; a fixed one keeps the output stable.
  if (value.kind === 'ptr' && depth > 0) return sharpV ? `(${value.goType})(0xc000000000)` : '0xc000000000';
  const named = job.flags.mode !== '';
  const parts = Object.keys(value.type.fields).map((name) => {
    const text = formatAt(structField(value, name), job, depth + 1);
    return named ? `${name}:${text}` : text;
  });
  const body = `{${parts.join(sharpV ? ', ' : ' ')}}`;
  return (value.kind === 'ptr' ? '&' : '') + (sharpV ? value.type.name : '') + body;
}
