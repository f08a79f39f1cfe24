import type { kubernetesEnvironment } from '../cel/kubernetes-environment.ts';
import { BOOL, DYN, INT, listOf, mapOf, STRING, struct, type Type } from '../cel/types.ts';
import { definedType } from '../graft/defined-type.ts';
import { type FieldType, fieldsOf, kindType, type Struct, typeAt } from '../graft/field-schema.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf, type ResourceRef } from '../kube/resource.ts';

/** The types of `object` and of the items of its lists, which find mistakes in expressions before there is an object. */
export interface ObjectTypes {
  readonly root: Struct;
  readonly object: Type;
  /** DYN if there is no such list. */
  itemOf(fields: readonly string[]): Type;
  readonly findStruct: NonNullable<NonNullable<Parameters<typeof kubernetesEnvironment>[0]>['findStruct']>;
}

/** Undefined for all kinds, and for a kind without a known schema. */
export function objectTypes(
  kind: ResourceRef | '*',
  definitions: readonly KubeObject[],
): ObjectTypes | undefined {
  const root =
    kind === '*' ? undefined : (kindType(apiVersionOf(kind), kind.kind) ?? definedType(kind, definitions));
  if (root === undefined) return undefined;
  const structs = new Map<string, Struct>();
  const celType = (type: FieldType) => celTypeOf(type, structs);
  return {
    root,
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
  };
}

/**
 * Whether only these types have the problem. At run time `object` has no types: a field may be null there whatever its type, and what is
 * a struct here is a map, which has keys, can be compared with `{}`, and can stand beside it.
 */
export function isOnlyOfTypes(message: string): boolean {
  return (message.includes('found no matching overload') && message.includes('null')) || STRUCT.test(message);
}

/** Distinct from the types that expressions can name. */
const PREFIX = 'kubernetes.schema.';
/** Items of lists aside. */
const STRUCT = new RegExp(`(?<!list\\()${PREFIX.replaceAll('.', '\\.')}`);

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
