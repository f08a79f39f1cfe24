import { BOOL, DYN, INT, listOf, mapOf, STRING, struct, type Type } from '../../cel/index.ts';
import {
  apiVersionOf,
  definedType,
  type FieldType,
  fieldsOf,
  type KubeObject,
  kindType,
  METADATA,
  type ResourceRef,
  type Struct,
  typeAt,
} from '../../sdk/index.ts';
import type { KnownTypes } from './expressions.ts';
import { typeMismatch } from './type-mismatch.ts';

/** The types of `object`, of list items and of places, as far as they are known: of all kinds, those of metadata. */
export function knownTypesOf(kind: ResourceRef | '*', definitions: readonly KubeObject[]): KnownTypes {
  const root =
    kind === '*' ? undefined : (kindType(apiVersionOf(kind), kind.kind) ?? definedType(kind, definitions));
  if (root === undefined) return { mismatch: mismatchIn(ANY_KIND) };
  const structs = new Map<string, Struct>();
  const celType = (type: FieldType) => celTypeOf(type, structs);
  return {
    object: celType(root),
    itemOf(fields) {
      const list = typeAt(root, fields);
      return list?.type === 'list' ? celType(list.item) : DYN;
    },
    findStruct(name) {
      const type = structs.get(name);
      if (type === undefined) return undefined;
      const fields = fieldsOf(type);
      return {
        field: (field) => {
          const type = fields.get(field);
          return type && celType(type);
        },
      };
    },
    mismatch: mismatchIn(root),
  };
}

const ANY_KIND: Struct = { type: 'struct', name: '*', fields: new Map([['metadata', METADATA]]) };

function mismatchIn(root: Struct): NonNullable<KnownTypes['mismatch']> {
  return ({ fields, isItem }, type) => {
    const field = typeAt(root, fields);
    return field && typeMismatch(type, field, isItem);
  };
}

/** Distinct from the types that expressions can name. */
export const PREFIX = 'kubernetes.schema.';

/** The run-time types: quantities and times are strings or numbers, whatever their type in the schema. */
function celTypeOf(type: FieldType, structs: Map<string, Struct>): Type {
  switch (type.type) {
    case 'struct': {
      const name = PREFIX + type.name;
      structs.set(name, type);
      return struct(name);
    }
    case 'list':
      return listOf(celTypeOf(type.item, structs));
    case 'map':
      return mapOf(STRING, celTypeOf(type.values, structs));
    case 'string':
    case 'enum':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'int32':
    case 'int64':
    case 'port':
      return INT;
    default:
      return DYN;
  }
}
