import { intOf, stringMap, typedSlice, type Value } from '../../../gotemplate/index.ts';
import { isJsonArray, isJsonObject, type Json } from '../../../sdk/index.ts';

/** Kinds of fields that Kubernetes' Go structs and Istio's messages have in common. */
export type PlainKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'double'
  | 'strings'
  | 'stringMap'
  | 'any';

/** The value of a field in a template: Go's zero value if the JSON has none of that kind. */
export function typedValue(value: Json | undefined, kind: PlainKind): Value {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : '';
    case 'bool':
      return value === true;
    case 'int32':
    case 'int64':
    case 'uint32':
      return intOf(kind, typeof value === 'number' ? Math.trunc(value) : 0);
    case 'double':
      return typeof value === 'number' ? value : 0;
    case 'strings':
      return typedSlice('string', isJsonArray(value) ? (value as readonly string[]) : null);
    case 'stringMap':
      return stringMap(isJsonObject(value) ? (value as Record<string, string>) : null);
    case 'any':
      return (value ?? null) as Value;
  }
}

/** The Go name of most fields: `HostPort` for `hostPort`. */
export function goNameOf(jsonName: string): string {
  return (jsonName[0] ?? '').toUpperCase() + jsonName.slice(1);
}

/** Reads fields that are written as `name:kind`, with spaces between them. */
export function fieldWords(fields: string): readonly (readonly [name: string, kind: string])[] {
  return fields
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [name = '', kind = 'any'] = word.split(':');
      return [name, kind] as const;
    });
}
