import { isMap, itemsOf, mapGet, sortedKeys, structField } from './containers.ts';
import { type Meter, textCost } from './meter.ts';
import { isNil, typeOf, underlying } from './types.ts';
import { Int, Struct, type Value } from './values.ts';

export interface JsonOptions {
  readonly indent?: string;
  /** Whether to escape <, > and &, as Go does by default. */
  readonly escapeHtml?: boolean;
}

/** Go's json.Marshal: sorted keys, null for nil slices and maps, the fields of structs in order. */
export function toJson(value: Value, meter: Meter, options: JsonOptions = {}): string {
  const text = marshal(value, {
    meter,
    newline: options.indent === undefined ? undefined : '\n',
    ...options,
  });
  // Once for the whole text: these characters occur in strings only.
  const special = options.escapeHtml === false ? /[\u2028\u2029]/g : /[<>&\u2028\u2029]/g;
  return text.replace(special, (char) => ESCAPED[char] ?? char);
}

interface Encoding extends JsonOptions {
  readonly meter: Meter;
  /** A newline with the current indentation; undefined without indentation. */
  readonly newline: string | undefined;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

function marshal(value: Value, encoding: Encoding): string {
  encoding.meter.spend(1);
  if (isNil(value)) return 'null';
  const plain = underlying(value);
  if (typeof plain === 'string') {
    encoding.meter.spend(textCost(plain));
    return JSON.stringify(plain);
  }
  if (typeof plain === 'boolean') return String(plain);
  if (plain instanceof Int) return plain.value.toString();
  if (typeof plain === 'number') return marshalNumber(plain);
  if (value instanceof Struct) return marshalStruct(value, encoding);
  const items = itemsOf(value);
  if (items !== undefined) return enclose('[', items, ']', encoding, (item, inner) => marshal(item, inner));
  if (!isMap(value)) throw new Error(`json: unsupported type: ${typeOf(value)}`);
  return enclose('{', sortedKeys(value), '}', encoding, (key, inner) =>
    member(key, mapGet(value, key), inner),
  );
}

function marshalNumber(value: number): string {
  if (!Number.isFinite(value))
    throw new Error(`json: unsupported value: ${value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN'}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

function marshalStruct(value: Struct, encoding: Encoding): string {
  if (value.type.json !== undefined) return marshal(value.type.json(value.raw), encoding);
  return enclose('{', Object.keys(value.type.fields), '}', encoding, (name, inner) =>
    member(name, structField(value, name), inner),
  );
}

function member(key: string, value: Value, encoding: Encoding): string {
  return `${JSON.stringify(key)}:${encoding.newline === undefined ? '' : ' '}${marshal(value, encoding)}`;
}

function enclose<T>(
  open: string,
  parts: readonly T[],
  close: string,
  encoding: Encoding,
  write: (part: T, inner: Encoding) => string,
): string {
  if (parts.length === 0) return open + close;
  const newline = encoding.newline === undefined ? undefined : encoding.newline + encoding.indent;
  const inner = newline === undefined ? encoding : { ...encoding, newline };
  const body = parts.map((part) => write(part, inner)).join(`,${newline ?? ''}`);
  return open + (newline ?? '') + body + (encoding.newline ?? '') + close;
}
