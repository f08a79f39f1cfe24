import { definitionLines, kindLines } from './generated/fields.ts';

/** What a field of a Kubernetes object may hold. */
export type FieldType =
  | { readonly type: Scalar }
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'list'; readonly item: FieldType }
  | { readonly type: 'map'; readonly values: FieldType }
  /** A definition with named fields: see `fieldsOf`. Those of custom resources bring them along. */
  | { readonly type: 'struct'; readonly name: string; readonly fields?: ReadonlyMap<string, FieldType> };

export type Scalar =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'quantity'
  | 'port'
  | 'intOrString'
  | 'portOrName'
  | 'object'
  | 'any';

export type Struct = FieldType & { readonly type: 'struct' };

/** The metadata of every kind, custom resources included. */
export const METADATA: Struct = { type: 'struct', name: 'ObjectMeta' };

/** Undefined if the kind is not part of Kubernetes, or if its group is not among the generated ones. */
export function kindType(apiVersion: string, kind: string): Struct | undefined {
  return linesByName().kinds.get(kind)?.get(apiVersion);
}

/** The kinds of one version of a group, such as `apps/v1`. */
export function kindNames(apiVersion: string): readonly string[] {
  const kinds = [...linesByName().kinds].filter(([, versions]) => versions.has(apiVersion));
  return kinds.map(([kind]) => kind);
}

/** The versions of groups, `v1` among them. */
export function apiVersions(): readonly string[] {
  return [...new Set([...linesByName().kinds.values()].flatMap((versions) => [...versions.keys()]))];
}

/** The type of the value to which these fields lead, through the items of lists; undefined if it is not known. */
export function typeAt(root: FieldType, fields: readonly string[]): FieldType | undefined {
  let type: FieldType | undefined = root;
  for (const field of fields) {
    const inner: FieldType | undefined = type?.type === 'list' ? type.item : type;
    if (inner?.type === 'struct') type = fieldsOf(inner).get(field);
    else type = inner?.type === 'map' ? inner.values : undefined;
  }
  return type;
}

/** The fields of a definition, by name. */
export function fieldsOf({ name, fields }: Struct): ReadonlyMap<string, FieldType> {
  return fields ?? definition(name).fields;
}

/** A definition of Kubernetes. Its fields are parsed when they are first read, since most starts check few kinds. */
class Definition {
  readonly type = 'struct';
  readonly name: string;
  #fields: ReadonlyMap<string, FieldType> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get fields(): ReadonlyMap<string, FieldType> {
    this.#fields ??= new Map(
      (linesByName().definitions.get(this.name) ?? '').split(' ').map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon), parseType(field.slice(colon + 1))];
      }),
    );
    return this.#fields;
  }
}

const definitions = new Map<string, Definition>();

function definition(name: string): Definition {
  let found = definitions.get(name);
  if (found === undefined) {
    found = new Definition(name);
    definitions.set(name, found);
  }
  return found;
}

const SCALARS: { readonly [letter: string]: Scalar } = {
  s: 'string',
  b: 'boolean',
  i: 'int32',
  l: 'int64',
  n: 'number',
  q: 'quantity',
  p: 'port',
  x: 'intOrString',
  w: 'portOrName',
  o: 'object',
  '?': 'any',
};

function parseType(text: string): FieldType {
  if (text.startsWith('[]')) return { type: 'list', item: parseType(text.slice(2)) };
  if (text.startsWith('{}')) return { type: 'map', values: parseType(text.slice(2)) };
  if (text.startsWith('(')) return { type: 'enum', values: text.slice(1, -1).split('|') };
  const scalar = SCALARS[text];
  return scalar === undefined ? definition(text) : { type: scalar };
}

interface Lines {
  /** By kind, then by apiVersion. */
  readonly kinds: ReadonlyMap<string, ReadonlyMap<string, Struct>>;
  readonly definitions: ReadonlyMap<string, string>;
}

/** Split at the first use: most starts check no overlay. */
let lines: Lines | undefined;

function linesByName(): Lines {
  lines ??= { kinds: typesByKind(), definitions: new Map(splitLines(definitionLines, ' ')) };
  return lines;
}

function typesByKind(): Lines['kinds'] {
  const types = new Map<string, Map<string, Struct>>();
  for (const [key, name] of splitLines(kindLines, ':')) {
    const slash = key.lastIndexOf('/');
    const kind = key.slice(slash + 1);
    const versions = types.get(kind) ?? new Map<string, Struct>();
    types.set(kind, versions.set(key.slice(0, slash), definition(name)));
  }
  return types;
}

function splitLines(text: string, separator: string): [string, string][] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const end = line.indexOf(separator);
      return [line.slice(0, end), line.slice(end + 1)];
    });
}
