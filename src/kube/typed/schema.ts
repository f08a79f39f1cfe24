import { typedDefinitions, typedKinds } from '../generated/typed.ts';

/** The Go type of a value, and how server-side apply merges it. */
export type TypedValue =
  | { readonly type: Scalar }
  | ListType
  | { readonly type: 'map'; readonly values: TypedValue; readonly atomic: boolean }
  | StructType;

export type Scalar =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'bytes'
  /** A map with any content. */
  | 'object'
  | 'any';

export interface ListType {
  readonly type: 'list';
  readonly item: TypedValue;
  readonly merge: 'atomic' | 'set' | 'map';
  readonly keys: readonly string[];
}

export interface StructType {
  readonly type: 'struct';
  readonly name: string;
  readonly atomic: boolean;
  /** Called at the first use: definitions may contain themselves. */
  readonly fields: () => ReadonlyMap<string, TypedField>;
  /** The fields that Go writes even if they are empty. */
  readonly written: () => readonly (readonly [string, TypedField])[];
  /** Whether fields that are not declared are kept (custom resources only). */
  readonly open?: boolean;
}

export interface TypedField {
  readonly type: TypedValue;
  /** Go writes it even if it is empty. */
  readonly written: boolean;
  /** A pointer: its zero value differs from its absence. */
  readonly pointer: boolean;
  /** The schema's default, which keys of lists take. */
  readonly fallback?: string;
  /** Its key in `managedFields`, made once, because concatenated property names are slow. */
  readonly ownedAs?: string;
}

/** Undefined unless Kubernetes defines the kind. */
export function typedKind(apiVersion: string, kind: string): StructType | undefined {
  const name = lines().kinds.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : struct(name);
}

/** The metadata of every kind. */
export function metadataType(): StructType {
  return struct('ObjectMeta');
}

/** A definition that kinds contain, such as `Container`. */
export function definedStruct(name: string): StructType {
  if (!lines().definitions.has(name)) throw new TypeError(`Kubernetes does not define "${name}"`);
  return struct(name);
}

const SCALARS: { readonly [letter: string]: Scalar } = {
  s: 'string',
  b: 'boolean',
  i: 'int32',
  l: 'int64',
  n: 'number',
  q: 'quantity',
  x: 'intOrString',
  t: 'time',
  u: 'microTime',
  y: 'bytes',
  o: 'object',
  '?': 'any',
};

function parseType(text: string): TypedValue {
  const list = /^\[([^\]]*)\](.*)$/.exec(text);
  if (list !== null) {
    const [, mark = '', item = ''] = list;
    const merge = mark === '' ? 'atomic' : mark === '=' ? 'set' : 'map';
    return { type: 'list', item: parseType(item), merge, keys: merge === 'map' ? mark.split(',') : [] };
  }
  const map = /^\{(~?)\}(.*)$/.exec(text);
  if (map !== null) return { type: 'map', values: parseType(map[2] ?? ''), atomic: map[1] === '~' };
  const scalar = SCALARS[text];
  return scalar === undefined ? struct(text) : { type: scalar };
}

function parseField(text: string): [string, TypedField] {
  const [, name = '', written, pointer, type = '', fallback] =
    /^([^:]+):(!?)(\*?)(.*?)(?:=([^\]].*))?$/.exec(text) ?? [];
  return [
    name,
    {
      type: parseType(type),
      written: written === '!',
      pointer: pointer === '*',
      ownedAs: `f:${name}`,
      ...(fallback !== undefined && { fallback }),
    },
  ];
}

const structs = new Map<string, StructType>();

function struct(name: string): StructType {
  const known = structs.get(name);
  if (known !== undefined) return known;
  const line = lines().definitions.get(name);
  let fields: ReadonlyMap<string, TypedField> | undefined;
  let written: readonly (readonly [string, TypedField])[] | undefined;
  const type: StructType = {
    type: 'struct',
    name,
    atomic: line?.atomic ?? false,
    fields: () => (fields ??= new Map((line?.fields ?? []).map(parseField))),
    written: () => (written ??= [...type.fields()].filter(([, field]) => field.written)),
  };
  structs.set(name, type);
  return type;
}

interface Lines {
  readonly kinds: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, { readonly atomic: boolean; readonly fields: readonly string[] }>;
}

/** Split at the first use: most processes need no types. */
let split: Lines | undefined;

function lines(): Lines {
  split ??= {
    kinds: new Map(
      typedKinds
        .trim()
        .split('\n')
        .map((line) => {
          const colon = line.lastIndexOf(':');
          return [line.slice(0, colon), line.slice(colon + 1)];
        }),
    ),
    definitions: new Map(
      typedDefinitions
        .trim()
        .split('\n')
        .map((line) => {
          const [name = '', ...fields] = line.split(' ');
          const atomic = name.endsWith('~');
          return [atomic ? name.slice(0, -1) : name, { atomic, fields }];
        }),
    ),
  };
  return split;
}
