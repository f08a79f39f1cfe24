import type { TypedValue } from './schema.ts';

/** The name of a type in errors of Go's decoder. Named strings, such as `v1.RestartPolicy`, are plain strings here. */
export function goTypeName(type: TypedValue): string {
  switch (type.type) {
    case 'struct':
      return `v1.${type.name}`;
    case 'list':
      return `[]${goTypeName(type.item)}`;
    case 'map':
      return `map[string]${goTypeName(type.values)}`;
    default:
      return NAMES[type.type] ?? type.type;
  }
}

const NAMES: { readonly [type: string]: string } = {
  boolean: 'bool',
  number: 'float64',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'string',
  microTime: 'string',
  bytes: '[]uint8',
  object: 'map[string]interface {}',
  any: 'interface {}',
};
