import { isMap, itemsOf, mapGet, sortedKeys, structField } from './containers.ts';
import { type Meter, textCost } from './meter.ts';
import { isNil, typeOf, underlying } from './types.ts';
import { Int, Struct, type Value } from './values.ts';

export interface JsonOptions {
  readonly indent?: string;
  /** Go escapes <, > and & unless told otherwise. */
  readonly escapeHtml?: boolean;
}

/** Go's json.Marshal: keys sorted, nil slices and maps null, structs in the order of their fields. */
export function toJson(value: Value, meter: Meter, options: JsonOptions = {}): string {
  const text = marshal(value, {
    meter,
    newline: options.indent === undefined ? undefined : '\n',
    ...options,
  });
  return options.escapeHtml === false ? text : text.replace(/[<>&]/g, (char) => ESCAPED[char] ?? char);
}

interface Job extends JsonOptions {
  readonly meter: Meter;
  /** A newline and the indentation so far, when indenting. */
  readonly newline: string | undefined;
}

const ESCAPED: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

function marshal(value: Value, job: Job): string {
  job.meter.spend(1);
  if (isNil(value)) return 'null';
  const plain = underlying(value);
  if (typeof plain === 'string') {
    job.meter.spend(textCost(plain));
    return marshalString(plain);
  }
  if (typeof plain === 'boolean') return String(plain);
  if (plain instanceof Int) return plain.value.toString();
  if (typeof plain === 'number') return marshalNumber(plain);
  if (value instanceof Struct) return marshalStruct(value, job);
  const items = itemsOf(value);
  if (items !== undefined) return enclose('[', items, ']', job, (item, inner) => marshal(item, inner));
  if (!isMap(value)) throw new Error(`json: unsupported type: ${typeOf(value)}`);
  return enclose('{', sortedKeys(value), '}', job, (key, inner) => member(key, mapGet(value, key), inner));
}

function marshalString(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
}

function marshalNumber(value: number): string {
  if (!Number.isFinite(value))
    throw new Error(`json: unsupported value: ${value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN'}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

function marshalStruct(value: Struct, job: Job): string {
  if (value.type.json !== undefined) return marshal(value.type.json(value.raw), job);
  return enclose('{', Object.keys(value.type.fields), '}', job, (name, inner) =>
    member(name, structField(value, name), inner),
  );
}

function member(key: string, value: Value, job: Job): string {
  return `${marshalString(key)}:${job.newline === undefined ? '' : ' '}${marshal(value, job)}`;
}

function enclose<T>(
  open: string,
  parts: readonly T[],
  close: string,
  job: Job,
  write: (part: T, inner: Job) => string,
): string {
  if (parts.length === 0) return open + close;
  const newline = job.newline === undefined ? undefined : job.newline + job.indent;
  const inner = newline === undefined ? job : { ...job, newline };
  const body = parts.map((part) => write(part, inner)).join(`,${newline ?? ''}`);
  return open + (newline ?? '') + body + (job.newline ?? '') + close;
}
