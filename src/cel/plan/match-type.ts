import type { Type } from '../types.ts';
import { CelMap } from '../values/cel-map.ts';
import { isMap, keysOf, lookUp, plainKeys } from '../values/maps.ts';
import { isDouble, isInt, TypeValue, typeNameOf } from '../values/values.ts';

/** Tests whether a value is of a type. In lists and maps, only the first element is checked. */
export function typeTest(type: Type): (value: unknown) => boolean {
  const [first, second] = type.parameters.map(typeTest);
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'parameter':
      return () => true;
    case 'string':
      return (value) => typeof value === 'string';
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'int':
      return isInt;
    case 'double':
      return isDouble;
    case 'null':
      return (value) => value === null;
    case 'list':
      return (value) =>
        Array.isArray(value) && (value.length === 0 || first === undefined || first(value[0]));
    case 'map':
      return (value) => isMap(value) && isMapOf(value, first, second);
    case 'type':
      return (value) => value instanceof TypeValue;
    default: {
      const { name } = type;
      return (value) => typeNameOf(value) === name;
    }
  }
}

type Test = ((value: unknown) => boolean) | undefined;

function isMapOf(map: Parameters<typeof keysOf>[0], isKey: Test, isValue: Test): boolean {
  if (!(map instanceof CelMap) && isKey?.('') === false) return plainKeys(map).length === 0;
  for (const key of keysOf(map)) {
    return isKey?.(key) !== false && isValue?.(lookUp(map, key)) !== false;
  }
  return true;
}
