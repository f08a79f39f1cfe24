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
  const name = linesByName().kinds.get(`${apiVersion}/${kind}`);
  return name === undefined ? undefined : { type: 'struct', name };
}

/** The kinds of one version of a group, such as `apps/v1`. */
export function kindNames(apiVersion: string): readonly string[] {
  const prefix = `${apiVersion}/`;
  const names = [...linesByName().kinds.keys()].filter((name) => name.startsWith(prefix));
  return names.map((name) => name.slice(prefix.length)).filter((kind) => !kind.includes('/'));
}

/** The versions of groups, `v1` among them. */
export function apiVersions(): readonly string[] {
  return [...new Set([...linesByName().kinds.keys()].map((name) => name.slice(0, name.lastIndexOf('/'))))];
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
export function fieldsOf({ name, fields: own }: Struct): ReadonlyMap<string, FieldType> {
  if (own !== undefined) return own;
  let fields = parsed.get(name);
  if (fields === undefined) {
    fields = new Map(
      (linesByName().definitions.get(name) ?? '').split(' ').map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon), parseType(field.slice(colon + 1))];
      }),
    );
    parsed.set(name, fields);
  }
  return fields;
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
  return scalar === undefined ? { type: 'struct', name: text } : { type: scalar };
}

interface Lines {
  readonly kinds: ReadonlyMap<string, string>;
  readonly definitions: ReadonlyMap<string, string>;
}

/** Split and parsed at the first use, and only as far as needed: most starts check no overlay. */
const parsed = new Map<string, ReadonlyMap<string, FieldType>>();
let lines: Lines | undefined;

function linesByName(): Lines {
  lines ??= { kinds: splitLines(kindLines, ':'), definitions: splitLines(definitionLines, ' ') };
  return lines;
}

function splitLines(text: string, separator: string): Map<string, string> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const end = line.indexOf(separator);
        return [line.slice(0, end), line.slice(end + 1)];
      }),
  );
}
