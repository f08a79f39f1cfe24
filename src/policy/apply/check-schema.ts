import type { ListType, TypedValue } from '../../kube/typed/schema.ts';
import { itemKey, itemPath } from './item-key.ts';
import { isPatchList, isPatchObject, OddValue, type PatchValue } from './patch-value.ts';

/** Why a patch does not fit its type: in the words of structured-merge-diff, with the path of each mistake. */
export function schemaErrors(value: PatchValue, type: TypedValue, path = ''): string[] {
  if (value === null || type.type === 'any') return [];
  switch (type.type) {
    case 'struct':
      if (!isPatchObject(value)) return [expected('map', value, path)];
      return Object.keys(value).flatMap((key) => {
        const field = type.fields().get(key);
        const at = `${path}.${key}`;
        if (field !== undefined) return schemaErrors(value[key] as PatchValue, field.type, at);
        return type.open ? [] : [`${at}: field not declared in schema`];
      });
    case 'map':
      if (!isPatchObject(value)) return [expected('map', value, path)];
      return Object.keys(value).flatMap((key) =>
        schemaErrors(value[key] as PatchValue, type.values, `${path}.${key}`),
      );
    case 'list':
      return isPatchList(value) ? listErrors(value, type, path) : [expected('list', value, path)];
    case 'object':
      return isPatchObject(value) ? [] : [expected('map', value, path)];
    default:
      return scalarErrors(value, type.type, path);
  }
}

function listErrors(list: readonly PatchValue[], type: ListType, path: string): string[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    if (type.merge === 'map' && !isPatchObject(item)) {
      return [`${path}: element ${index}: associative list with keys may not have non-map elements`];
    }
    const key = itemKey(item, type);
    const isRepeated = type.merge !== 'atomic' && seen.has(key);
    seen.add(key);
    const at = itemPath(item, type, index);
    return [
      ...(isRepeated ? [`${path}: duplicate entries for key ${at}`] : []),
      ...schemaErrors(item, type.item, `${path}${at}`),
    ];
  });
}

function scalarErrors(value: PatchValue, type: string, path: string): string[] {
  const isOdd = value instanceof OddValue || typeof value === 'object';
  switch (type) {
    case 'string':
    case 'bytes':
      return typeof value === 'string' ? [] : [expected('string', value, path)];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [expected('boolean', value, path)];
    case 'int32':
    case 'int64':
    case 'number':
      return typeof value === 'number'
        ? []
        : [`${path}: expected numeric (int or float), got ${goName(value)}`];
    default:
      return isOdd ? [expected('any scalar', value, path)] : [];
  }
}

function expected(what: string, value: PatchValue, path: string): string {
  return `${path}: expected ${what}, got ${goName(value)}`;
}

function goName(value: PatchValue): string {
  if (value instanceof OddValue) return value.typeName === 'uint' ? 'uint64' : value.typeName;
  return isPatchList(value) ? 'list' : isPatchObject(value) ? 'map' : JSON.stringify(value);
}

/** The errors of several mistakes in one text. */
export function joinedErrors(errors: readonly string[]): string {
  return errors.length === 1
    ? (errors[0] as string)
    : `errors:\n${errors.map((error) => `  ${error}`).join('\n')}`;
}

/** The places of a patch that server-side apply takes whole, and that policies may therefore not set. Those inside of others follow. */
export function atomicPaths(value: PatchValue, type: TypedValue, path = ''): string[] {
  if (value === null) return [];
  const inner: string[] = [];
  switch (type.type) {
    case 'struct':
      if (isPatchObject(value)) {
        for (const key of Object.keys(value)) {
          const field = type.fields().get(key);
          if (field !== undefined)
            inner.push(...atomicPaths(value[key] as PatchValue, field.type, `${path}.${key}`));
        }
      }
      return type.atomic ? [path, ...inner] : inner;
    case 'map':
      if (isPatchObject(value)) {
        for (const key of Object.keys(value))
          inner.push(...atomicPaths(value[key] as PatchValue, type.values, `${path}.${key}`));
      }
      return type.atomic ? [path, ...inner] : inner;
    case 'list':
      if (isPatchList(value)) {
        for (const [index, item] of value.entries())
          inner.push(...atomicPaths(item, type.item, `${path}[${index}]`));
      }
      return type.merge === 'atomic' ? [path, ...inner] : inner;
    default:
      return [];
  }
}
