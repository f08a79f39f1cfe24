import { type Methods, type Struct, structType, typedSlice, type Value } from '../../../gotemplate/index.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '../../../sdk/index.ts';
import { structs } from '../generated/go-structs.ts';
import { goJson, goJsonText } from './go-json.ts';
import { type GoField, type GoType, goType, isStructName, type StructName } from './go-type.ts';
import { quantityValue, resourceList } from './quantity-value.ts';
import { typedValue } from './typed-value.ts';

/** JSON of a Pod that a template reads as a Go struct. */
export interface Source {
  readonly json: JsonObject;
  /** Where it is in the Pod. */
  readonly path: Path;
  readonly onRead: OnRead | undefined;
}

export type Path = readonly (string | number)[];

/** Called for everything that is read: a `value`, or only its `form` (the length of a list, the presence of an object). */
export type OnRead = (path: Path, what: 'value' | 'form') => void;

/** The struct as a template sees it. */
export function goStruct(source: Source, name: StructName): Struct {
  return constructors[name].of(source);
}

/** The JSON behind a struct, which counts as read. */
export function readWhole({ json, path, onRead }: Source): JsonObject {
  onRead?.(path, 'value');
  return json;
}

/** The JSON text of a struct that was made here; undefined for other structs. */
export function structText(value: Struct): string | undefined {
  const name = value.type.name.replace(/^v1\./, '');
  if (!isStructName(name) || value.raw === null) return undefined;
  return goJsonText(goJson(readWhole(value.raw as Source), name));
}

type Constructor = ReturnType<typeof structType<Source>>;

const constructors = Object.fromEntries(
  Object.keys(structs).map((name) => [name, constructorOf(name as StructName)]),
) as Readonly<Record<StructName, Constructor>>;

function constructorOf(name: StructName): Constructor {
  const type = goType(name);
  const fields = [...type.fields.values()].map(
    (field) => [field.goName, (source: Source) => fieldValue(source, field)] as const,
  );
  return structType<Source>({
    name: type.name,
    fields: Object.fromEntries(fields),
    ...(name === 'ObjectMeta' && { methods: getters(type) }),
    json: (source) => orderedStruct(goJson(readWhole(source), name)),
  });
}

/** `GetLabels` and the like. */
function getters({ fields }: GoType): Methods<Source | null> {
  const methods = [...fields.values()].map((field) => {
    const read = (source: Source | null) =>
      fieldValue(source ?? { json: {}, path: [], onRead: undefined }, field);
    return [`Get${field.goName}`, read] as const;
  });
  return Object.fromEntries(methods);
}

function fieldValue({ json, path: parent, onRead }: Source, field: GoField): Value {
  const value = member(json, field.jsonName) ?? undefined;
  const path = [...parent, field.jsonName];
  onRead?.(path, field.struct === undefined ? 'value' : 'form');
  if (field.struct === undefined) return plainValue(value, field);
  const { name, form } = field.struct;
  const source = (found: Json | undefined, at: Path): Source => ({
    json: isJsonObject(found) ? found : {},
    path: at,
    onRead,
  });
  if (form === 'value') return constructors[name].of(source(value, path));
  if (form === 'pointer') return constructors[name].pointer(isJsonObject(value) ? source(value, path) : null);
  const items = isJsonArray(value) ? value : undefined;
  return typedSlice(
    `v1.${name}`,
    items?.map((item, index) => constructors[name].of(source(item, [...path, index]))) ?? null,
  );
}

function plainValue(value: Json | undefined, { kind }: GoField): Value {
  switch (kind) {
    case 'quantities':
      return resourceList(value);
    case 'quantity':
      return quantityValue(value);
    case 'pointer':
    case 'struct':
      return typedValue(value, typeof value === 'number' ? 'int64' : 'any');
    default:
      return typedValue(value, kind);
  }
}

/** Templates sort the keys of plain objects; a struct keeps its order. */
function orderedStruct(value: Json): Value {
  if (isJsonArray(value)) return value.map(orderedStruct);
  if (!isJsonObject(value)) return value;
  const fields = Object.keys(value).map((key) => [key, () => orderedStruct(value[key] as Json)] as const);
  return structType<JsonObject>({ name: '', fields: Object.fromEntries(fields) }).of(value);
}
