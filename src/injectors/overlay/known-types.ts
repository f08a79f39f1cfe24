import { BOOL, DYN, INT, listOf, mapOf, STRING, struct, type Type } from '../../cel/types.ts';
import {
  apiVersionOf,
  type FieldType,
  fieldsOf,
  kindType,
  type ResourceRef,
  typeAt,
} from '../../sdk/index.ts';
import type { KnownTypes } from './expressions.ts';

/** The types of `object` and of list items for a kind of Kubernetes; undefined for other kinds. */
export function knownTypesOf(kind: ResourceRef | '*'): KnownTypes | undefined {
  const root = kind === '*' ? undefined : kindType(apiVersionOf(kind), kind.kind);
  if (root === undefined) return undefined;
  return {
    object: celType(root),
    itemOf(fields) {
      const list = typeAt(root, fields);
      return list?.type === 'list' ? celType(list.item) : DYN;
    },
    findStruct(name) {
      if (!name.startsWith(PREFIX)) return undefined;
      const fields = fieldsOf({ type: 'struct', name: name.slice(PREFIX.length) });
      return {
        field: (field) => {
          const type = fields.get(field);
          return type && celType(type);
        },
      };
    },
  };
}

/** Distinct from the types that expressions can name. */
const PREFIX = 'kubernetes.schema.';

/** The run-time types: quantities and times are strings or numbers, whatever their type in the schema. */
function celType(type: FieldType): Type {
  switch (type.type) {
    case 'struct':
      return struct(PREFIX + type.name);
    case 'list':
      return listOf(celType(type.item));
    case 'map':
      return mapOf(STRING, celType(type.values));
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
