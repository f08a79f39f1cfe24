import { structs } from '../generated/go-structs.ts';
import { fieldWords, goNameOf, type PlainKind } from './typed-value.ts';

export type StructName = keyof typeof structs;

/** One of the Go structs that make up a Pod. */
export interface GoType {
  readonly name: string;
  /** By their names in JSON, in the order of Go. */
  readonly fields: ReadonlyMap<string, GoField>;
}

export interface GoField {
  readonly goName: string;
  readonly jsonName: string;
  /** `pointer` is a pointer to a scalar. */
  readonly kind: PlainKind | 'pointer' | 'quantity' | 'quantities' | 'struct';
  /** What a pointer points to. */
  readonly target?: PlainKind;
  /** Whether Go writes the field even if it is empty. */
  readonly isAlwaysWritten: boolean;
  readonly struct?: { readonly name: StructName; readonly form: 'value' | 'pointer' | 'list' };
}

export function goType(name: StructName): GoType {
  return types[name];
}

const types = Object.fromEntries(
  Object.entries(structs).map(([name, fields]) => [name, readType(name, fields)]),
) as Readonly<Record<StructName, GoType>>;

/** Fields are written like `name:string! hostIP:string uid/UID:string ports:[]ContainerPort runAsUser:*int64`. */
function readType(name: string, fields: string): GoType {
  const read = fieldWords(fields).map(readField);
  return { name: `v1.${name}`, fields: new Map(read.map((field) => [field.jsonName, field])) };
}

function readField([names, type]: readonly [string, string]): GoField {
  const [jsonName = '', goName = goNameOf(jsonName)] = names.split('/');
  const isAlwaysWritten = type.endsWith('!');
  const [, prefix = '', base = ''] = /^(\[\]|\*)?(\w*)/.exec(type) ?? [];
  if (!isStructName(base)) {
    const kind = base as PlainKind;
    const pointer = { kind: 'pointer', target: kind } as const;
    return { goName, jsonName, isAlwaysWritten, ...(prefix === '*' ? pointer : { kind }) };
  }
  const form = prefix === '[]' ? 'list' : prefix === '*' ? 'pointer' : 'value';
  return { goName, jsonName, kind: 'struct', isAlwaysWritten, struct: { name: base, form } };
}

export function isStructName(name: string): name is StructName {
  return Object.hasOwn(structs, name);
}
