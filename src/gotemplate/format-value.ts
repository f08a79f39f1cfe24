import { isMap, itemsOf, mapGet, sortedKeys, structField } from './containers.ts';
import { formatBasic } from './format-basic.ts';
import { type Flags, pad } from './format-flags.ts';
import type { Func } from './func.ts';
import { type Meter, textCost } from './meter.ts';
import { stringerText } from './methods.ts';
import { isNil, kindOf, typeOf, underlying } from './types.ts';
import { GoMap, Slice, Struct, type Value } from './values.ts';

/** Formats one operand with one verb, as fmt does. */
export function formatArg(value: Value, verb: string, flags: Flags, meter: Meter): string {
  if (value === null || value === undefined) {
    return verb === 'v' || verb === 'T' ? pad('<nil>', flags) : `%!${verb}(<nil>)`;
  }
  if (verb === 'T') return formatBasic(typeOf(value), 's', flags) ?? '';
  return formatAt(value, { verb, flags, meter, plain: false }, 0);
}

interface Format {
  readonly verb: string;
  readonly flags: Flags;
  readonly meter: Meter;
  /** Ignores String and Error methods, as fmt does when it reports a bad verb. */
  readonly plain: boolean;
}

function formatAt(value: Value, format: Format, depth: number): string {
  format.meter.spend(1);
  const sharpV = format.flags.mode === '#';
  if (value === null || value === undefined) return sharpV ? 'interface {}(nil)' : '<nil>';
  if (!sharpV && !format.plain && 'vsxXq'.includes(format.verb)) {
    const text = stringerText(value);
    if (text !== undefined) return formatBasic(text, format.verb, format.flags) ?? '';
  }
  const items = itemsOf(value);
  if (items !== undefined) return formatSlice(value, items, format, depth);
  if (isMap(value)) return formatMap(value, format, depth);
  if (value instanceof Struct) return formatStruct(value, format, depth);
  if (kindOf(value) === 'func') return sharpV ? `(${(value as Func).goType})(0x1)` : '0x1';
  const plain = underlying(value);
  if (typeof plain === 'string') format.meter.spend(textCost(plain));
  const text = formatBasic(plain, format.verb, format.flags);
  return text ?? badVerb(value, format);
}

function badVerb(value: Value, format: Format): string {
  return `%!${format.verb}(${typeOf(value)}=${formatAt(value, { ...format, verb: 'v', plain: true }, 0)})`;
}

function formatSlice(value: Value, items: readonly Value[], format: Format, depth: number): string {
  const parts = items.map((item) => formatAt(item, format, depth + 1));
  if (format.flags.mode !== '#') return `[${parts.join(' ')}]`;
  if (value instanceof Slice && isNil(value)) return `${value.goType}(nil)`;
  return `${typeOf(value)}{${parts.join(', ')}}`;
}

function formatMap(value: Value, format: Format, depth: number): string {
  if (!isMap(value)) return '';
  const sharpV = format.flags.mode === '#';
  if (sharpV && value instanceof GoMap && isNil(value)) return `${value.goType}(nil)`;
  const parts = sortedKeys(value).map(
    (key) => `${formatAt(key, format, depth + 1)}:${formatAt(mapGet(value, key), format, depth + 1)}`,
  );
  return sharpV ? `${typeOf(value)}{${parts.join(', ')}}` : `map[${parts.join(' ')}]`;
}

function formatStruct(value: Struct, format: Format, depth: number): string {
  const sharpV = format.flags.mode === '#';
  if (value.raw === null) return sharpV ? `(${value.goType})(nil)` : pad('<nil>', format.flags);
  // fmt prints the addresses of nested pointers. A fixed one keeps the output reproducible.
  if (value.kind === 'ptr' && depth > 0) return sharpV ? `(${value.goType})(0xc000000000)` : '0xc000000000';
  const named = format.flags.mode !== '';
  const parts = Object.keys(value.type.fields).map((name) => {
    const text = formatAt(structField(value, name), format, depth + 1);
    return named ? `${name}:${text}` : text;
  });
  const body = `{${parts.join(sharpV ? ', ' : ' ')}}`;
  return (value.kind === 'ptr' ? '&' : '') + (sharpV ? value.type.name : '') + body;
}
