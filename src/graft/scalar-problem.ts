import { closest } from '../closest.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { compareQuantities, isQuantity } from '../kube/quantity.ts';
import type { FieldType } from './field-schema.ts';

type ScalarType = Exclude<FieldType, { type: 'struct' | 'list' | 'map' }>;

/** What is wrong with a value of a scalar field; undefined if nothing is. */
export function scalarProblem(value: Json, type: ScalarType): string | undefined {
  if (type.type === 'enum') return enumProblem(value, type.values);
  const { words, accepts } = SCALARS[type.type];
  return accepts(value) ? undefined : `expected ${words}, found ${described(value)}`;
}

/** A value in a message, shortened if long. */
export function described(found: Json): string {
  if (isJsonArray(found)) return 'a list';
  if (isJsonObject(found)) return 'a map';
  const text = JSON.stringify(found);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function enumProblem(value: Json, values: readonly string[]): string | undefined {
  if (typeof value === 'string' && values.includes(value)) return undefined;
  const guess = typeof value === 'string' ? guessOf(value, values) : undefined;
  // Lifecycle.stopSignal has 65 values.
  const listed = values.filter((name) => name !== '').slice(0, 10);
  const words = `expected one of ${listed.join(', ')}${listed.length < values.length - 1 ? ' …' : ''}`;
  return `${words}, found ${described(value)}${guess === undefined ? '' : `, did you mean "${guess}"?`}`;
}

/** `tcp` for `TCP` differs in every letter. */
function guessOf(value: string, values: readonly string[]): string | undefined {
  return values.find((known) => known.toLowerCase() === value.toLowerCase()) ?? closest(value, values);
}

interface Check {
  readonly words: string;
  accepts(value: Json): boolean;
}

const INT32 = 2 ** 31;
const PORT = 'a port from 1 to 65535';

const SCALARS: { readonly [Type in Exclude<ScalarType['type'], 'enum'>]: Check } = {
  any: { words: 'anything', accepts: () => true },
  object: { words: 'a map', accepts: isJsonObject },
  string: { words: 'string', accepts: isString },
  boolean: { words: 'boolean', accepts: (value) => typeof value === 'boolean' },
  number: { words: 'a number', accepts: (value) => typeof value === 'number' },
  int64: { words: 'an integer', accepts: isInteger },
  int32: { words: 'a 32-bit integer', accepts: isInt32 },
  intOrString: { words: 'an integer or string', accepts: (value) => isString(value) || isInt32(value) },
  port: { words: PORT, accepts: isPort },
  portOrName: { words: `${PORT} or its name`, accepts: (value) => isPort(value) || isPortName(value) },
  quantity: { words: 'a quantity such as 100m or 1Gi', accepts: isAmount },
};

function isString(value: Json): boolean {
  return typeof value === 'string';
}

function isInteger(value: Json): boolean {
  return Number.isSafeInteger(value);
}

function isInt32(value: Json): value is number {
  return Number.isInteger(value) && (value as number) >= -INT32 && (value as number) < INT32;
}

function isPort(value: Json): boolean {
  return isInt32(value) && value >= 1 && value <= 65535;
}

/** `port: "8080"` would be looked up as a name, and a name has a letter. */
function isPortName(value: Json): boolean {
  return typeof value === 'string' && value.length <= 15 && /^[a-z0-9-]*[a-z][a-z0-9-]*$/i.test(value);
}

function isAmount(value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return isQuantity(String(value)) && compareQuantities(value, 0) >= 0;
}
